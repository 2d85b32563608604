// What scripts and the server tell each other, and what several scripts share. No browser loads this file: `make lint` checks by it.

/** What the server answers. */
type Answer = { status: number; body: any; headers: Headers };

// ---- one assessor's judging of one topic

/** Of a field of a document, in code points. */
type Rationale = { field: string; start: number; end: number; text: string };
type Judged = { seq: number; kind: string; grade: number | null; comment: string; rationales: Rationale[]; chosen?: number | null };
/** A document, and the near duplicate it is compared with. */
type Place = { document_id: string; against: string | null };
/** A document of the queue, with this assessor's own judgment. */
type Item = {
  document_id: string;
  /** "other": another assessor has judged it; nothing more is known here */
  state: "open" | "mine" | "other";
  kind: string | null;
  grade: number | null;
  /** the server's number of my judgment; null while it is on its way */
  seq: number | null;
  /** names the documents that are almost the same; null for one that stands alone */
  near: string | null;
  /** postponed by me */
  later: boolean;
  /** of my judgment while it is on its way */
  uuid?: string | null;
  comment?: string;
  rationales?: Rationale[];
  /** of several labels those that I chose, as the sum of 2^(number - 1) */
  chosen?: number | null;
};
/** What a frame says about its document. */
type Shown = {
  account: string;
  document_id: string;
  title: string;
  state: "text" | "empty" | "missing";
  pool: number;
  text_hash: string | null;
  topic_version: number;
  guideline_version: number;
  /** of a pair of things which one is on the left, first or second */
  left: string | null;
  mine: Judged | null;
  hits: number[];
  terms: { text: string; own: boolean; hits: number; colour: number }[];
  passage: boolean;
  /** the number of the marked word at which the best stretch begins */
  opens_at: number | null;
  /** where the text differs from that of its near duplicate, as fractions like `hits` */
  differences: number[];
  /** the near duplicate it is compared with; `reasons` say why one grade may not do for both */
  twin: { document_id: string; name: string; reasons: string[] } | null;
};
/** Versions of the texts that the server has now. */
type Versions = { topic: number; guidelines: number };
type Input = "key" | "button" | "same";
/** What is said of a document; `sameAs` is the near duplicate whose grade it is. */
type Given = { kind: string; grade: number | null; input: Input; sameAs?: string | null; note: string; rationales: Rationale[]; chosen?: number | null };
type GradeButton = { grade: number; name: string; key: string; fill: number; tone: string; action: string };

// ---- judgments on their way

type Owner = { campaign: string; account: string };
type Entry = Owner & {
  uuid: string;
  /** what is sent, as the server expects it */
  judgment: Record<string, any>;
  /** uuid of the unsent entry that this one replaces */
  after: string | null;
  /** with my judgment that is in force, null for none, or nothing when the answer did not say */
  refused: { status: number; reason: string; message: string; current?: any } | null;
  /** place among the entries of this browser */
  order: number;
};
/** What the server has acknowledged: the judgment's place in the log, and when, by this machine's clock. */
type Receipt = Owner & { uuid: string; seq: number; judgment: Record<string, any>; order: number; time: number };
type OutboxState = {
  state: "saved" | "saving" | "offline" | "outdated" | "signed out" | "problem";
  waiting: number;
  refused: Entry[];
  durable: boolean;
};
type OutboxListener = {
  onchange: () => void;
  /** `former` is the judgment's place in a log that was lost */
  onstored: (entry: Entry, stored: any, former?: number) => void;
  /** a judgment travels under a new uuid */
  onrenewed?: (entry: Entry, before: string) => void;
  /** another tab gave one up */
  ondiscarded?: (entry: Entry) => void;
};

// ---- pages that judge

/** What a session asks of the page that shows its documents. */
type View = {
  /** the document that was asked for last */
  wanted?: string | null;
  isShown?: (documentId: string) => boolean;
  open?: (documentId: string) => unknown;
  /** the next look at a document asks the server for it */
  forget?: (documentId: string) => void;
  /** of a judgment that was given up */
  keepDraft?: (documentId: string, note: string) => void;
  /** `isHere`: of the topic that is judged */
  heardVersions?: (versions: Versions, isHere: boolean) => void;
  /** judgments have changed */
  showAround?: () => void;
  showSaving: () => void;
  /** more or fewer documents can be judged without the network */
  showReady?: () => void;
  showOtherMachine?: () => void;
  /** documents have come into the topic, or none is awaited any more */
  moreCame?: () => void;
  /** a judgment of this topic was stored, or a decision of adjudication */
  stored: (entry: Entry, stored: any) => void;
  preferred?: (name: string) => void;
};
/** What each kind of page says of its documents besides. */
type Documents = {
  /** shows the first */
  begin: () => Promise<unknown>;
  /** puts the focus on what is shown */
  focus: () => void;
  /** what the next key judges, by its first document */
  item: () => Item | null;
  canPostpone: () => boolean;
  /** whether I have judged it */
  isMine: () => boolean;
  /** it, as the page has it */
  current: () => object | null;
  /** the same, if a key may judge it now; otherwise the press is dropped, and that is seen */
  judgeable: () => object | null;
  judge: (kind: string, grade: number | null, input: Input, more?: { reason?: string; sameAs?: string }) => Promise<unknown>;
  look: (step: 1 | -1) => void;
  putOff: () => unknown;
  titleOf: (documentId: string) => string | undefined;
  /** how many can be judged without the network, and how many are left */
  reach: () => { ready: number; open: number };
  frames: () => Iterable<HTMLIFrameElement>;
  /** shows the same with other marks */
  markAgain: () => void;
  checkVersions: (versions: Versions) => void;
};
/** What is done besides grading, by name. */
type Actions = Record<string, (input: Input) => unknown>;
/** `unlisted`: this page does not have it. */
type Action = { name: string; keys: string[]; label: string; group: string; fixed: boolean; unlisted?: boolean };
type Kept = { frame: HTMLIFrameElement; shown: Shown | null; loaded: Promise<Shown | null>; isScrolled: boolean };
/** A document of a card; `wide` may be wider than its place. */
type Member = { shown: Shown; frame: HTMLIFrameElement; wide: Element[] };
/** A document that a card is to be made of; `isApart`: it was judged otherwise than what it is compared with. */
type Wanted = Place & { isApart: boolean; address: string; html: string | null; alone: string };
/** Cards that are shown together; the first of them come before the rest, and `whole` says when all are there. */
type Batch = { list: HTMLElement; cards: Card[]; rest: string[]; whole: Promise<void> | null };

type Card = import("./judging/card.js").Card;
type CardStage = import("./judging/card_stage.js").CardStage;
type Database = import("./judging/database.js").Database;
type Hits = import("./judging/hits.js").Hits;
type JudgingSession = import("./judging/judging_session.js").JudgingSession;
type Keyboard = import("./judging/keyboard.js").Keyboard;
type OfflineCopy = import("./judging/offline_copies.js").OfflineCopy;
type Outbox = import("./judging/outbox.js").Outbox;
type Preferences = import("./judging/preferences.js").Preferences;
type Queue = import("./judging/queue.js").Queue;
type Saving = import("./judging/saving.js").Saving;
type Texts = import("./judging/texts.js").Texts;
type Viewer = import("./judging/viewer.js").Viewer;

// ---- judging without a network

/** A topic of a copy: the address of its page, that of its documents up to the id, and the characters of them. */
type KeptTopic = {
  topic_id: string;
  title: string;
  url: string;
  frame_url: string;
  places: Place[];
  size: number;
  topic_version: number;
  guideline_version: number;
};
/** What a copy says of itself: when it was made and is deleted, in milliseconds; `whole`: all topics that were asked for are in it. */
type Manifest = Owner & {
  edition: string;
  language?: string;
  at: number;
  until: number;
  whole: boolean;
  page_url: string;
  judge_url: string;
  topics: KeptTopic[];
};

// ---- jobs and files

type Job = {
  id: string;
  state: string;
  done: number;
  total: number | null;
  step: string;
  message: string;
  result: string | null;
  detail: any;
  address: string;
};

/** What scripts say in the language of the page (static/messages.js); none on English pages. */
declare var workbenchMessages: { language: string; messages: Record<string, string | Record<string, string>> } | undefined;
