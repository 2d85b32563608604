/* Runs and qrels of the ordinary shape, read, checked, joined and ordered in one pass; see compiled.py.

   Everything that is not of the ordinary shape is declined: the caller then reads it the other way, which knows what
   is wrong with it, and in which line. What is accepted here is accepted there, with the same values. Identifiers stay
   where they stand in the file's bytes; nothing is written outside the arrays that the caller gives. */

#include "text.h"

#define DECLINED (-1)
#define UNJUDGED INT16_MIN
#define UNKNOWN (-1)
#define LONGEST_ID 500 /* of identifiers.py, in bytes */

typedef struct { Text id; int64_t size; int32_t number; uint64_t hash; } Topic;
typedef struct { Topic *all; int64_t size, room; uint32_t *slot; uint64_t mask; } Topics;
typedef struct { Text id; uint64_t hash; int32_t topic; int16_t grade; } Judgment;
typedef struct { Judgment *all; int64_t size; uint32_t *slot; uint64_t mask; Topics topics; int64_t highest; uint64_t seed; } Qrels;
typedef struct { Text id; uint64_t hash; double score; int16_t label; } Line;
typedef struct { const uint8_t *at, *end; int comments; } Reader;

/* Lines: 1 for a row, 0 at the end, DECLINED for anything but `width` columns, blanks and line ends. */

static int next_row(Reader *reader, Text *column, int width) {
    const uint8_t *at = reader->at, *end = reader->end;
    int found = 0;
    for (;;) {
        while (at < end && (*at == ' ' || *at == '\t')) at++;
        if (at < end && *at == '\r') {
            if (at + 1 < end && at[1] != '\n') return DECLINED;
            if (at + 1 == end) return DECLINED;
            at++;
        }
        if (at == end || *at == '\n') {
            if (at < end) at++;
            reader->at = at;
            if (found) return found == width ? 1 : DECLINED;
            if (at == end) return 0;
            continue;
        }
        if (found == width || (!found && reader->comments && *at == '#')) return DECLINED;
        const uint8_t *begin = at;
        while (at < end && *at > ' ') at++;
        if (at == begin) return DECLINED; /* a control character */
        if (at - begin > LONGEST_ID) return DECLINED;
        column[found].at = begin;
        column[found++].size = at - begin;
    }
}

/* Topics */

static Topic *topic_of(const Topics *topics, Text id, uint64_t hash) {
    if (!topics->slot) return NULL;
    for (uint64_t slot = hash & topics->mask; topics->slot[slot]; slot = (slot + 1) & topics->mask) {
        Topic *topic = &topics->all[topics->slot[slot] - 1];
        if (topic->hash == hash && same(topic->id, id)) return topic;
    }
    return NULL;
}

static Topic *new_topic(Topics *topics, Text id, uint64_t hash) {
    if (topics->size == topics->room) {
        int64_t room = topics->room ? 2 * topics->room : 64;
        Topic *all = room > INT32_MAX ? NULL : realloc(topics->all, (size_t)room * sizeof(Topic));
        if (!all) return NULL;
        topics->all = all;
        uint64_t mask;
        uint32_t *slot = slots(room, &mask);
        if (!slot) return NULL;
        for (int64_t i = 0; i < topics->size; i++) {
            uint64_t place = all[i].hash & mask;
            while (slot[place]) place = (place + 1) & mask;
            slot[place] = (uint32_t)(i + 1);
        }
        free(topics->slot);
        topics->slot = slot, topics->mask = mask, topics->room = room;
    }
    uint64_t place = hash & topics->mask;
    while (topics->slot[place]) place = (place + 1) & topics->mask;
    topics->slot[place] = (uint32_t)(topics->size + 1);
    Topic *topic = &topics->all[topics->size];
    *topic = (Topic){id, 0, (int32_t)topics->size, hash};
    topics->size++;
    return topic;
}

/* Judgments */

static uint64_t pair_hash(uint64_t document, int32_t topic) {
    return mixed(document + (uint64_t)(uint32_t)topic * UINT64_C(0x9e3779b97f4a7c15));
}

/* The slot of a pair, or the empty one where it belongs. */
static uint64_t place_of(const Qrels *qrels, Text id, uint64_t hash, int32_t topic) {
    uint64_t slot = hash & qrels->mask;
    for (; qrels->slot[slot]; slot = (slot + 1) & qrels->mask) {
        const Judgment *other = &qrels->all[qrels->slot[slot] - 1];
        if (other->hash == hash && other->topic == topic && same(other->id, id)) break;
    }
    return slot;
}

void wb_free(Qrels *qrels) {
    if (!qrels) return;
    free(qrels->all);
    free(qrels->slot);
    free(qrels->topics.all);
    free(qrels->topics.slot);
    free(qrels);
}

static int read_judgments(Qrels *qrels, Reader reader) {
    Text column[4];
    Topic *topic = NULL;
    int more;
    while ((more = next_row(&reader, column, 4)) > 0) {
        Judgment *judgment = &qrels->all[qrels->size];
        if (!topic || !same(topic->id, column[0])) {
            uint64_t hash = hashed(column[0], qrels->seed);
            topic = topic_of(&qrels->topics, column[0], hash);
            if (!topic && !(topic = new_topic(&qrels->topics, column[0], hash))) return 0;
        }
        if (!grade_of(column[3], &judgment->grade, &qrels->highest)) return 0;
        judgment->id = column[2];
        judgment->topic = topic->number;
        judgment->hash = pair_hash(hashed(column[2], qrels->seed), topic->number);
        uint64_t slot = place_of(qrels, judgment->id, judgment->hash, judgment->topic);
        if (qrels->slot[slot]) return 0;
        qrels->slot[slot] = (uint32_t)++qrels->size;
        topic->size++;
    }
    return more == 0 && qrels->size > 0;
}

/* The judgments of `size` bytes with at most `lines` lines, which stay where they are; NULL where they are declined. */
Qrels *wb_read_qrels(const uint8_t *data, int64_t size, int64_t lines, int comments, uint64_t seed) {
    if (lines >= INT32_MAX || !is_utf8(data, data + size)) return NULL;
    Qrels *qrels = calloc(1, sizeof(Qrels));
    if (!qrels) return NULL;
    qrels->seed = seed;
    qrels->highest = INT16_MIN;
    qrels->all = malloc((size_t)(lines + 1) * sizeof(Judgment));
    qrels->slot = slots(lines + 1, &qrels->mask);
    if (qrels->all && qrels->slot && read_judgments(qrels, (Reader){data, data + size, comments})) return qrels;
    wb_free(qrels);
    return NULL;
}

int64_t wb_topics(const Qrels *qrels) { return qrels->topics.size; }
int64_t wb_judgments(const Qrels *qrels) { return qrels->size; }
int64_t wb_highest(const Qrels *qrels) { return qrels->highest; }

/* Where each topic's id stands in `data`, its length and its number of judgments, in the order of the file. */
void wb_list_topics(const Qrels *qrels, const uint8_t *data, int64_t *begin, int64_t *length, int64_t *judged) {
    for (int64_t i = 0; i < qrels->topics.size; i++) {
        const Topic *topic = &qrels->topics.all[i];
        begin[i] = topic->id.at - data, length[i] = topic->id.size, judged[i] = topic->size;
    }
}

/* The grades, those of a topic together and in the order of the file; `next` is where each topic's begin. */
void wb_labels(const Qrels *qrels, int64_t *next, int16_t *label) {
    for (int64_t i = 0; i < qrels->size; i++) label[next[qrels->all[i].topic]++] = qrels->all[i].grade;
}

/* Runs */

/* The one order: score descending, then document id descending in bytes. */
static int before(const Line *a, const Line *b) {
    return a->score > b->score || (a->score == b->score && compared(a->id, b->id) > 0);
}

static void sort(Line *line, Line *spare, int64_t size) {
    if (size < 12) {
        for (int64_t i = 1; i < size; i++) {
            Line moved = line[i];
            int64_t at = i;
            for (; at && before(&moved, &line[at - 1]); at--) line[at] = line[at - 1];
            line[at] = moved;
        }
        return;
    }
    int64_t half = size / 2, left = 0, right = half;
    sort(line, spare, half);
    sort(line + half, spare, size - half);
    memcpy(spare, line, (size_t)size * sizeof(Line));
    for (int64_t i = 0; i < size; i++)
        line[i] = right == size || (left < half && !before(&spare[right], &spare[left])) ? spare[left++] : spare[right++];
}

typedef struct { Line *line, *spare; int64_t size, room; uint32_t *slot; uint64_t mask; } Ranking;

static int add_line(Ranking *ranking, Line line) {
    if (ranking->size == ranking->room) {
        int64_t room = ranking->room ? 2 * ranking->room : 1024;
        Line *grown = room > INT32_MAX ? NULL : realloc(ranking->line, (size_t)room * sizeof(Line));
        if (!grown) return 0;
        ranking->line = grown, ranking->room = room;
        free(ranking->spare);
        free(ranking->slot);
        ranking->spare = malloc((size_t)room * sizeof(Line));
        ranking->slot = slots(room, &ranking->mask);
        if (!ranking->spare || !ranking->slot) return 0;
    }
    ranking->line[ranking->size++] = line;
    return 1;
}

/* Whether a document stands twice in the ranking. The slots of the last ranking are emptied first. */
static int has_repeated(Ranking *ranking) {
    uint64_t mask = 15;
    while (mask + 1 < 2 * (uint64_t)ranking->size) mask = 2 * mask + 1;
    memset(ranking->slot, 0, (size_t)(mask + 1) * sizeof(uint32_t));
    for (int64_t i = 0; i < ranking->size; i++) {
        const Line *line = &ranking->line[i];
        uint64_t slot = line->hash & mask;
        for (; ranking->slot[slot]; slot = (slot + 1) & mask) {
            const Line *other = &ranking->line[ranking->slot[slot] - 1];
            if (other->hash == line->hash && same(other->id, line->id)) return 1;
        }
        ranking->slot[slot] = (uint32_t)(i + 1);
    }
    return 0;
}

/* The labels of one ranking in the one order. */
static int write_labels(const Qrels *qrels, Ranking *ranking, int32_t topic, int16_t *label) {
    if (has_repeated(ranking)) return 0;
    int ordered = 1;
    for (int64_t i = 0; i < ranking->size; i++) {
        Line *line = &ranking->line[i];
        line->label = UNJUDGED;
        if (topic != UNKNOWN) {
            uint32_t found = qrels->slot[place_of(qrels, line->id, pair_hash(line->hash, topic), topic)];
            if (found) line->label = qrels->all[found - 1].grade;
        }
        if (i && before(line, line - 1)) ordered = 0;
    }
    if (!ordered) sort(ranking->line, ranking->spare, ranking->size);
    for (int64_t i = 0; i < ranking->size; i++) label[i] = ranking->line[i].label;
    ranking->size = 0;
    return 1;
}

typedef struct {
    const uint8_t *data;
    int64_t size, lines;
    int32_t comments, single_precision;
    int16_t *label;      /* room for `lines` */
    int64_t *start;      /* room for `lines` + 1 */
    int32_t *topic;      /* room for `lines` */
    int64_t rankings;    /* from here on the answer */
    int64_t tag[2], first_topic[2];
} Run;

static int read_run(const Qrels *qrels, Run *run, Topics *seen, Ranking *ranking) {
    Reader reader = {run->data, run->data + run->size, run->comments};
    Text column[6], topic = {NULL, 0}, tag = {NULL, 0};
    int64_t row = 0, rankings = 0;
    int more;
    while ((more = next_row(&reader, column, 6)) > 0) {
        if (row == run->lines) return 0;
        if (!tag.at) tag = column[5];
        if (!same(tag, column[5])) return 0;
        if (!topic.at || !same(topic, column[0])) {
            if (topic.at && !write_labels(qrels, ranking, run->topic[rankings - 1], run->label + run->start[rankings - 1]))
                return 0;
            topic = column[0];
            uint64_t hash = hashed(topic, qrels->seed);
            if (topic_of(seen, topic, hash) || !new_topic(seen, topic, hash)) return 0;
            const Topic *judged = topic_of(&qrels->topics, topic, hash);
            run->topic[rankings] = judged ? judged->number : UNKNOWN;
            run->start[rankings++] = row;
        }
        Line line = {column[2], hashed(column[2], qrels->seed), 0.0, UNJUDGED};
        if (!number_of(column[4], &line.score)) return 0;
        if (run->single_precision) line.score = (double)(float)line.score;
        if (!add_line(ranking, line)) return 0;
        row++;
    }
    if (more || !row) return 0;
    run->start[rankings] = row;
    run->rankings = rankings;
    run->tag[0] = tag.at - run->data, run->tag[1] = tag.size;
    run->first_topic[0] = seen->all[0].id.at - run->data, run->first_topic[1] = seen->all[0].id.size;
    return write_labels(qrels, ranking, run->topic[rankings - 1], run->label + run->start[rankings - 1]);
}

/* Whether a run is accepted: the labels of its lines, where its rankings start, their topics. */
int wb_read_run(const Qrels *qrels, Run *run) {
    Topics seen = {0};
    Ranking ranking = {0};
    int good = is_utf8(run->data, run->data + run->size) && read_run(qrels, run, &seen, &ranking);
    free(seen.all);
    free(seen.slot);
    free(ranking.line);
    free(ranking.spare);
    free(ranking.slot);
    return good;
}
