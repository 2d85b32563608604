"""Short texts that people know at a glance for prose that was wrapped, or for lines that were meant."""

from __future__ import annotations

from textwrap import fill

STORY = (
    "The river froze in the night, and in the morning children walked over it to their school. The fishermen cut "
    "holes into the ice and waited there for the whole of the short day. Nobody had seen such a winter since the "
    "old bridge was built, and the mayor asked everybody to keep away from it until the wind had turned again."
)
FRENCH = (
    "La rivière a gelé pendant la nuit, et au matin les enfants l'ont traversée pour aller à l'école. Les pêcheurs "
    "ont percé des trous dans la glace et y ont attendu toute la journée. Personne n'avait vu un tel hiver depuis "
    "la construction du vieux pont, et le maire demanda à chacun de s'en tenir éloigné."
)
GERMAN = (
    "Der Fluss fror in der Nacht zu, und am Morgen gingen die Kinder über das Eis zur Schule. Die Fischer schlugen "
    "Löcher in das Eis und warteten dort den ganzen kurzen Tag. Einen solchen Winter hatte niemand gesehen, seit die "
    "alte Brücke gebaut wurde, und der Bürgermeister bat alle, ihr fernzubleiben."
)
RUSSIAN = (
    "Ночью река замёрзла, и утром дети шли по ней в школу. Рыбаки пробили во льду лунки и ждали там весь короткий "
    "день. Такой зимы никто не видел с тех пор, как построили старый мост, и городской голова просил всех держаться "
    "от него подальше, пока не переменится ветер."
)
ARABIC = (
    "تجمد النهر في الليل وعبره الأطفال في الصباح إلى مدرستهم. وحفر الصيادون ثقوبا في الجليد وانتظروا هناك طوال "
    "النهار القصير. ولم ير أحد مثل هذا الشتاء منذ بناء الجسر القديم وطلب العمدة من الجميع أن يبتعدوا عنه حتى تتغير "
    "الريح من جديد."
)
CHINESE = (
    "河水在夜里结冰了，早晨孩子们从冰上走到学校去。渔夫们在冰上凿了洞，整个短短的白天都在那里等着。自从老桥建成以来，没有人见过这样的冬天，市长请大家在风向改变之前不要靠近它。"
    * 2
)

PROSE = {
    **{f"English at {width}": fill(STORY, width) for width in (32, 40, 60, 72, 100)},
    "French at 38": fill(FRENCH, 38),
    "German at 38": fill(GERMAN, 38),
    "Russian at 40": fill(RUSSIAN, 40),
    "Arabic at 36": fill(ARABIC, 36),
    "Chinese, 20 characters a line": "\n".join(CHINESE[at : at + 20] for at in range(0, len(CHINESE), 20)),
    "wrapped at 60, and again at 45": "\n".join(fill(line, 45) for line in fill(STORY, 60).split("\n")),
    "an old abstract in small letters": (
        "an approximate solution is given for the flow about a\nblunt cone at zero\n"
        "incidence .  the method is that of a series in powers\nof the distance\n"
        "from the stagnation point, and the results agree with\nthose of experiments ."
    ),
    "a narrow column of small letters": (
        "the tests show that in the range of\nspeeds that was covered an increase\nof the thickness has the effect of\n"
        "a loss of stability at the lower\nspeeds and none at the higher ones ."
    ),
    "in capitals": fill(STORY.upper(), 60),
}

MEANT = {
    "short verse": (
        "The river sleeps beneath the snow,\nAnd who shall tell where waters go?\n"
        "The willow bends, the winds are shrill,\nAnd all the land is white and still."
    ),
    "long verse": (
        "Before the winter came with heavy frost upon the fields,\n"
        "The harvest lay in golden rows, with all that summer yields,\n"
        "And every man went out by day to bring the sheaves inside,\n"
        "While by the hearth the women sang about the sea and tide."
    ),
    "verse in small letters": (
        "o river under ice,\n"
        "how slow your fishes are;\n"
        "they dream, and once or twice,\n"
        "one glimpses at a star."
    ),
    "a play": (
        "ANNA: Who goes there in the dark?\n"
        "BEN: A friend, and cold enough for two.\n"
        "ANNA: Then come inside, and shut the door behind you."
    ),
    "a shopping list": "apples\na dozen eggs\nbrown bread\nsalt",
    "a list with bullets": (
        "- the river froze in the night, and the children walked over it\n"
        "- the fishermen cut holes into the ice\n"
        "- nobody had seen such a winter since the bridge was built"
    ),
    "a numbered list of long items": (
        "1. Measure the thickness of the ice at three places at least.\n"
        "2. Write down the date, the place and the temperature of the air.\n"
        "3. Send the sheet to the office before the end of the month."
    ),
    "names": (
        "Anna Maria Lindqvist, University of Uppsala, Sweden\n"
        "Benjamin Okafor, University of Lagos, Nigeria\n"
        "Carla Fernandes, University of Porto, Portugal"
    ),
    "an address": "Office of the Harbour Master\n12 River Street\nWindsor SL4 1AA\nUnited Kingdom",
    "mail headers": (
        "From: anna@example.org\n"
        "To: ben@example.org\n"
        "Subject: the ice on the river near the old bridge\n"
        "Date: Mon, 4 Feb 1963 10:12:00 +0000"
    ),
    "quoted mail": (
        "> The river froze in the night, and in the morning children\n"
        "> walked over it to their school, while the fishermen cut\n"
        "> holes into the ice."
    ),
    "a table by blanks": "river      ice in cm   closed\nThames            12   yes\nRhine              8   no",
    "a table by tabs": "river\tice in cm\tclosed\nThames\t12\tyes\nRhine\t8\tno",
    "a table by bars": "| river | ice |\n|-------|-----|\n| Rhine | 8   |",
    "C": 'int main(void)\n{\nprintf("The river froze in the night, and in the morning\\n");\nreturn 0;\n}',
    "JavaScript": (
        "const ice = rivers.filter((river) => river.isFrozen);\n"
        "console.log(ice.map((river) => river.name).join());\n"
        "return ice;"
    ),
    "Python": (
        "rivers = [river for river in named(rivers) if river.frozen]\n"
        "thickest = max(rivers, key=lambda river: river.ice_in_cm)\n"
        "print(thickest.name)"
    ),
    "a configuration": "thickness = 12\nriver = Thames\nclosed = yes",
    "SQL": (
        "SELECT river, max(ice) AS thickest FROM measurements\n"
        "WHERE day BETWEEN '1963-01-01' AND '1963-03-01'\n"
        "GROUP BY river;"
    ),
    "a log": (
        "1963-02-04 10:12:00 INFO river Thames is frozen from bank to bank\n"
        "1963-02-04 10:13:30 INFO river Rhine is open to ships of all kinds\n"
        "1963-02-04 10:15:02 WARN river Elbe has not been heard of today"
    ),
    "headlines": (
        "River frozen from bank to bank at Windsor\n"
        "Mayor warns of thin ice near the old bridge\n"
        "Schools stay open though many have no coal"
    ),
    "a Chinese poem": "床前明月光，\n疑是地上霜。\n举头望明月，\n低头思故乡。",
    "Arabic verse": "نام النهر تحت الثلج،\nومن يدري أين يمضي الماء؟\nمالت الصفصافة والريح شديدة،\nوالأرض بيضاء ساكنة.",
}
