const plurals = new Intl.PluralRules("en");

function count(number: number, one: string, other: string): string {
  return `${number} ${plurals.select(number) === "one" ? one : other}`;
}

export const en = {
  product: "Loopback",
  skip: "Skip to the content",
  close: "Close",
  view: "View",
  reload: "Reload",
  back: "Back to the inbox",
  you: "You",
  agent: "Agent",
  loading: "Loading…",
  noProject: "no project",
  unreachable: "The server could not be reached. Your words are kept here: try again in a moment.",

  copy: { copy: "Copy", copied: "Copied", failed: "Select the text to copy it" },

  nav: {
    label: "Pages",
    inbox: "Inbox",
    history: "History",
    keys: "Keyboard",
    signOut: "Sign out",
    signOutSure: "Press again to sign out",
  },

  list: {
    label: "Asks",
    blocked: "Blocked on you",
    needs: "Needs you",
    agents: "Agent’s move",
    closed: "Recently closed",
    newcomers: (n: number) => `${n} new`,
    search: "Search loaded asks",
    projects: "Projects",
    all: "All",
    more: (n: number) => `Show ${n} more`,
    none: "Nothing needs you.",
    noneHint: "Asks from your agents appear here as they come.",
    noMatch: "No loaded ask matches.",
    pick: "Pick an ask to read it here.",
    older: "All closed asks",
    left: (left: number, of: number) => (left === 0 ? "all resolved" : `${left} of ${of} left`),
  },

  kind: { question: "Question", review: "Review", briefing: "Briefing" },

  presence: {
    waiting: "Agent waiting",
    left: "Agent left",
    leftLong: "Agent left, it gets your reply when it returns",
    itsMove: "With the agent",
    itsMoveLong: "With the agent: it has your words and answers here",
    following: "Agent on the line",
  },

  outcome: {
    answered: "Answered",
    approved: "Approved",
    changes_requested: "Changes requested",
    follow_up: "Asked back",
    responded: "Responded",
    dismissed: "Dismissed",
    closed: "Closed",
  },

  sent: {
    answered: (title: string) => `Answered: ${title}`,
    approved: (title: string) => `Approved: ${title}`,
    changes_requested: (title: string) => `Changes requested: ${title}`,
    follow_up: (title: string) => `Asked back: ${title}`,
    responded: (title: string) => `Replies sent: ${title}`,
    dismissed: (title: string) => `Dismissed: ${title}`,
  },

  refused: {
    "ask.closed": "This ask was closed before your reply arrived. Your words are kept below.",
    "ask.agents_turn": "It is the agent’s move now: your reply was not taken. Your words are kept.",
    unauthorized: "You were signed out before this was sent. Your words are kept: sign in and send again.",
    reload: "The page has to be loaded anew before this can be sent. Your words are kept.",
  } as Readonly<Record<string, string | undefined>>,

  ask: {
    asked: "Asked",
    raisedBy: (name: string) => `for ${name}`,
    revises: "Revises an earlier review",
    summary: "Summary",
    context: "Context",
    thread: "Thread",
    choices: "Choices",
    pickOne: "Pick one, or answer in your own words.",
    pickSome: "Pick any, or answer in your own words.",
    copyLink: "Copy link",
    next: "Next ask",
    previous: "Previous ask",
    unknownTitle: "This ask is not here",
    unknown: "It may belong to another space, or its address is incomplete.",
    failedTitle: "This ask could not be loaded",
    again: "Try again",
    closedBy: (outcome: string, by: string) => `${outcome} by ${by === "You" ? "you" : by}`,
    withdrawn: "Closed without a reply",
    leftover: "Your unsent draft",
    leftoverHint: "The ask was closed before this was sent. It is still yours to copy.",
    discard: "Discard",
  },

  turn: {
    answered: "answered",
    approved: "approved",
    changes_requested: "requested changes",
    follow_up: "asked back",
    responded: "responded",
    dismissed: "dismissed this",
    agent: "answered",
    noWords: "No words were added.",
    resolved: "marked this resolved",
    wrote: "wrote",
  },

  reply: {
    label: "Your reply",
    placeholder: {
      question: "Answer in your own words…",
      review: "A note, the changes you want, or a question back…",
    },
    answer: "Send reply",
    approve: "Approve",
    changes: "Request changes",
    "ask-back": "Ask back",
    dismiss: "Dismiss",
    sending: "Sending…",
    sends: (keys: string, action: string) => `${keys} sends as: ${action}`,
    needsWords: "Write something first",
    agentsTurn: "It is the agent’s move. What you write is kept until it is yours.",
    label2: "Actions",
  },

  briefing: {
    points: "Points",
    point: (id: string) => `Point ${id}`,
    words: (id: string) => `Your words on point ${id}`,
    resolve: (id: string) => `Resolve point ${id}`,
    resolved: "Resolved",
    placeholder: "A question, a push-back, a comment…",
    reopen: "Write to open this point again…",
    state: {
      open: "open",
      resolved: "resolved",
      written: "you wrote, not sent",
      resolving: "to be resolved, not sent",
      reopened: "stays open: you wrote beneath",
      answered: "agent answered",
      sent: "with the agent",
    },
    isNew: "new",
    under: (n: number) => count(n, "point beneath", "points beneath"),
    send: "Send replies",
    sum: (words: number, resolved: number) =>
      [words > 0 && count(words, "reply", "replies"), resolved > 0 && `${resolved} resolved`].filter(Boolean).join(", "),
    resolveRest: "Resolve the rest",
    openAll: "Open all",
    foldAll: "Fold all",
    next: "Next open point",
    verdict: {
      empty: "Write on a point, or resolve one.",
      "nothing-to-answer": "Resolving alone leaves the agent nothing to answer: write on an open point, or resolve the rest.",
      closes: "Every point resolved: sending closes the briefing.",
      asks: "The agent answers the points you wrote on.",
    },
    failed: "The replies were not sent",
  },

  history: {
    title: "History",
    older: "Load older",
    end: "That is everything.",
    empty: "Nothing has been closed yet.",
    failed: "Older asks could not be loaded.",
  },

  first: {
    title: "Connect your first agent",
    lead: "Run one line where your agent runs. Its next question then appears on this page, and your reply goes straight back to it.",
    clients: "Agents",
    then: "Then ask it something like “Ask me through Loopback which name I prefer.”",
    waiting: "Waiting for the first ask",
    failed: "The lines to connect an agent could not be loaded.",
  },

  signIn: {
    title: "Sign in this browser",
    lead: "This link signs this browser in to your inbox. It works once.",
    button: "Sign in this browser",
    busy: "Signing in…",
    outTitle: "Signed out",
    outLead: "This browser is not signed in. Print a fresh link on the server’s machine and open it here:",
    command: ".venv/bin/loopback sign-in",
    kept: "What you had begun to write is kept on this device.",
    already: "This browser is signed in.",
    failed: (reason: string) => `That did not work: ${reason}`,
    fresh: "A link works once and for 15 minutes. Print a fresh one:",
  },

  banner: {
    lost: "Reconnecting… What you write is kept, and so are your asks.",
    blockedTitle: "Another version of this page is running",
    blocked: "The server was updated. Reload to go on: your drafts are kept.",
    ready: "A newer version of this page is ready.",
    notices: {
      "sign_in.redeemed": (label: string) => `A new browser was signed in${label && `: ${label}`}`,
      "token.created": (label: string) => `A token that may reply was made: ${label}`,
      "token.revoked": (label: string) => `A token was revoked: ${label}`,
    } as Readonly<Record<string, ((label: string) => string) | undefined>>,
    dismiss: "Dismiss this notice",
  },

  broken: { title: "This page hit a fault", lead: "Your drafts are kept. Reloading usually helps." },

  lostPage: { title: "There is no such page" },

  keys: {
    title: "Keyboard",
    groups: [
      ["Moving", [["j k", "next, previous ask"], ["Enter o", "open"], ["u", "back to the list"], ["Esc", "reply → ask → list"], ["g i", "inbox"], ["g h", "history"], ["p", "next project"], ["/", "search"]]],
      ["Answering", [["r", "focus the reply"], ["1 – 6", "pick a choice"], ["Ctrl Enter", "send"], ["a", "approve"], ["c", "request changes"], ["q", "ask back"], ["#", "dismiss"]]],
      ["Briefings", [["n N", "next, previous open point"], ["x", "resolve the point"], ["X", "resolve the rest"], ["?", "this help"]]],
    ],
  } as {
    readonly title: string;
    readonly groups: readonly (readonly [string, readonly (readonly [string, string])[]])[];
  },
} as const;

export type Strings = typeof en;
