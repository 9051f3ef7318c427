import type { TestCase } from '../case'

type Proofs = TestCase['proofs']

/** A test of one size proves the case at that size, in the daily run and in the gate alike. */
const proved = (id: string, title: string, n: number, proofs: Proofs, owes?: string): TestCase => ({
  ...{ kind: 'test', id, title, n: { full: n, small: n }, proofs },
  ...(owes === undefined ? {} : { owes }),
})

/** Cases that tests play. A pointer that finds no test is a miss; what a test does not do as largely as it is asked is owed. */
export const provedByTests: TestCase[] = [
  proved('A12', 'times that cannot be kept are refused and start nothing', 17, [
    ['reminders/limits', /a time that cannot be kept is refused/],
  ]),
  proved('B1', 'messages at once on one session over two front doors are strictly serial', 50, [
    ['conversation/turn-order', /strictly in order/],
  ]),
  proved('B2', 'a front door is paused inside a turn and wakes up late', 1, [
    ['conversation/dead-holder', /paused in a turn and woke up late changes nothing/],
  ]),
  proved(
    'B3',
    'an automation falls due while a turn runs',
    25,
    [['automations/waiting', /falls due inside a turn waits for its end/]],
    '100 sessions with turns of 20 s',
  ),
  proved('B4', 'an automation falls due five times during one long turn', 5, [
    ['automations/waiting', /due five times during one long turn/],
    ['automations/missed', /held up by a run are recorded as that/],
  ]),
  proved(
    'B5',
    'slots that nobody took are recorded as missed, not run late',
    4,
    [
      ['automations/operators', /slots that nobody took are recorded as missed/],
      ['automations/operators', /could start only after ten minutes is missed/],
      ['automations/missed', /slots that nobody ran are told in one line/],
    ],
    'Temporal really away for two hours with 13 automations',
  ),
  proved('B6', 'a worker is killed in an automation turn, at four places', 4, [
    ['automations/killed', /followed by one that gives one answer/],
    ['automations/killed', /after a tool was called does not call it again/],
  ]),
  proved('B7', 'an automation cannot make more work, and never hears itself', 4, [
    ['automations/session-turn', /not offered to an automation do not run/],
    ['automations/cron-tool', /is not offered in an automation turn/],
    ['automations/cron-tool', /the 21st of a session is refused/],
    ['channels/webhook-inbound', /what the bot has said never comes back as input/],
  ]),
  proved(
    'B8',
    'a session with automations is deleted: asked first, confirmed, racing with due',
    20,
    [
      ['automations/deletion', /deleted in two steps/],
      ['automations/deletion', /deleting races with due/],
    ],
    'a watch of ten minutes afterwards',
  ),
  {
    ...{ kind: 'test', id: 'C1', title: 'plugin calls end 20 ms before or after their deadline' },
    n: { full: 300, small: 60 },
    proofs: [['runs/deadline', /tell one story each/]],
  },
  proved('C2', 'a plugin that hangs is ended at its own time limit, not at the feedback time', 1, [
    ['runs/race', /times out says so at once/],
  ]),
  proved('C3', 'a worker is killed during plugin calls', 8, [
    ['runs/worker-killed', /loses nothing and doubles nothing/],
  ]),
  proved('C4', 'a plugin call is cancelled by a person, and terminated by an operator', 3, [
    ['runs/operators', /cancel` aborts the handler/],
    ['runs/operators', /cancel over the API aborts/],
    ['runs/operators', /a terminated run ends its handler/],
  ]),
  proved('C5', 'results of 1.9, 2.2 and 5 MB, and arguments of 2.2 MB', 4, [['runs/large-results', /.*/]]),
  proved('D1', 'five times 500 and a 429 with Retry-After', 6, [['channels/webhook-channel', /D1: /]]),
  proved('D2', '400 to 422 and 410 are final', 8, [['channels/webhook-channel', /D2: /]]),
  proved('D3', 'endpoints that hang, drip or pour ten gigabytes', 100, [
    ['channels/webhook-slow', /.*/],
    ['channels/slow-platform', /delays no other bot/],
  ]),
  proved(
    'D5',
    'the same message of a platform four times',
    4,
    [['channels/webhook-inbound', /D5: /]],
    'repeats after 60 and 300 s over two doors',
  ),
  proved('D6', 'forged webhooks', 1_000, [['channels/webhook-inbound', /D6: |old and new secret/]]),
  proved(
    'D7',
    'a stream is cut again and again',
    100,
    [
      ['conversation/session-events', /cut off again and again misses nothing/],
      ['engine/live-bus', /misses nothing although every listening connection is cut/],
      ['conversation/session-events', /as good as absent/],
    ],
    'the reconnect to another front door',
  ),
  proved('E1', 'a model that answers 429, 500 and 503', 4, [['planner/model-faults', /a model that fails/]]),
  proved('E2', 'a model that hangs or breaks off', 6, [['planner/model-faults', /hangs or breaks off/]]),
  proved('E3', 'calls that a model got wrong', 200, [['planner/tool-calls', /calls a model got wrong/]]),
  proved('E4', 'a model that calls tools without end', 1, [['planner/planner-loop', /stops an endless caller/]]),
  proved('E5', 'words that a model reads tell it to reach others, and it obeys', 57, [['planner/injection', /.*/]]),
  proved('E6', 'a person or a bot over its tokens of the day', 4, [['access/strangers', /budgets/]]),
  proved('F1', 'every route with no, wrong, revoked, foreign and weak keys', 21, [
    ['http/default-deny', /every guarded route|every route answers 403|gets nothing of another/],
    ['http/default-deny', /a route without a rule keeps the app from starting/],
  ]),
  proved(
    'F2',
    'a key of one bot asks every route for what is of another',
    1,
    [
      ['http/default-deny', /gets nothing of another/],
      ['conversation/history', /nothing of the third/],
    ],
    '10,000 tries, and row level security as a second wall',
  ),
  proved('F3', 'forged and outdated tokens, weak secrets', 12, [
    ['http/default-deny', /every guarded route answers 401/],
    ['channels/secrets-at-rest', /must be long/],
  ]),
  proved('F4', 'a key is revoked during a stream', 1, [
    ['conversation/session-events', /ends within five seconds after its key was revoked/],
    ['access/api-keys', /works, and can be revoked/],
  ]),
  proved(
    'F5',
    'keys, tokens and texts are in no log and not in the database in clear',
    4,
    [
      ['http/operations', /reach the log/],
      ['access/api-keys', /kept as hashes only/],
      ['channels/secrets-at-rest', /in the database in clear/],
    ],
    '1,000 keys over a full run',
  ),
  proved(
    'F6',
    'random keys, both headers',
    500,
    [
      ['http/default-deny', /a bad checksum never reaches the database|two callers in one request/],
      ['access/api-key', /one wrong letter anywhere fails/],
    ],
    'a million keys',
  ),
  proved(
    'F7',
    'pushes over the limit, on two doors and over a restart',
    40,
    [['push/push', /limit of a target holds over two doors|limits of a key and of a bot hold/]],
    '100 a second for a minute',
  ),
  proved('F8', 'a push is retried with one Idempotency-Key', 20, [
    ['push/push', /twenty retries with one key|the same key for another body/],
  ]),
  proved('G1', 'bodies too large, chains too long, nesting ten thousand deep', 4, [
    ['http/input-abuse', /over 256 KB|ten thousand deep/],
    ['contracts/message-chain', /.*/],
  ]),
  proved('G2', 'text that breaks others: NUL, lone surrogates, joined emoji', 10, [
    ['http/input-abuse', /gives text back as it came|NUL/],
  ]),
  proved(
    'G3',
    'bodies that would change what objects are',
    6,
    [['http/input-abuse', /proto|prototype/]],
    '10,000 inputs',
  ),
  proved('G4', 'time expressions made to be slow', 2_000, [['time/properties', /.*/]], 'delay of the event loop'),
  proved('H1', 'addresses that must not be reached', 120, [['egress/ssrf', /.*/]]),
  proved('H2', 'names of plugins that lead elsewhere', 20, [
    ['runs/plugins/registry', /links out of the folder/],
    ['runs/plugins/plugin-host', /a name that is no tool/],
  ]),
  proved(
    'H3',
    'operators of SQL in filters',
    7,
    [['conversation/history', /is refused, and the answer says so/]],
    'a list over every filter, sort and id',
  ),
  proved('H4', 'plugins that loop, eat memory, exit, read the environment', 6, [['runs/plugins/hard-handlers', /.*/]]),
  proved('H5', 'platforms that show no proof, or a wrong one', 6, [
    ['http/default-deny', /open to nobody who cannot sign/],
    ['http/strangers', /refused before the body is read/],
  ]),
  proved(
    'J2',
    'keys of one bot try the sessions of another',
    1,
    [
      [
        'conversation/session-identity',
        /no predictable key of another bot can be taken|reading creates, revives and changes nothing/,
      ],
    ],
    '1,000 tries',
  ),
  proved(
    'J3',
    'plugin calls wait for their places',
    1,
    [['runs/crowd', /hold up nobody else|interrupts the calls that it runs, and none that waits/]],
    '400 calls of a minute',
  ),
  proved('J7', 'a bot leaves a platform and comes back, with the token of another', 5, [['channels/leaving', /.*/]]),
  proved('J8', 'a OneBot connection goes dead without a word; PostgreSQL is away while 50 messages come in', 50, [
    ['channels/onebot-away', /.*/],
  ]),
  proved('J9', 'a migration is cut off', 1, [['embedded/migrate', /.*/]], 'kills at twenty places of each migration'),
  proved(
    'J12',
    'rows that stay do not hide the others from the reconciler',
    1,
    [['engine/reconciler', /rows that stay do not hide the others/]],
    '1,000 automations beside 600 overdue messages',
  ),
  {
    ...{ kind: 'test', id: 'J13', title: 'nothing scans, however many rows there are' },
    n: { full: 1_000_000, small: 20_000 },
    proofs: [
      ['engine/query-plans', /.*/],
      ['engine/reconciler', /nothing that is asked about/],
    ],
  },
  proved('J14', 'a conversation, a session and a bot are forgotten', 15, [['conversation/forgetting', /.*/]]),
  proved(
    'J15',
    'a model calls tools that were not offered',
    1,
    [
      ['automations/session-turn', /not offered to an automation do not run/],
      ['access/strangers', /cannot lift what the pipeline/],
    ],
    '200 tries',
  ),
  proved(
    'I2',
    'what people wrote is not in Temporal (the checker looks after every case of the rig, too)',
    3,
    [
      ['reminders/operators', /never their text/],
      ['automations/operators', /nothing that a person wrote/],
      ['workflows/replay', /no history holds what a person wrote/],
    ],
    'a payload codec as a second wall',
  ),
  proved(
    'J11',
    'PostgreSQL goes away while automations run',
    2,
    [['automations/postgres-away', /.*/]],
    'five minutes of it',
  ),
]
