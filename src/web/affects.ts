const HISTORY = ['/receipts', '/trash']
/** When a phone or an automation last sent a file, which always leaves a receipt. */
const ARRIVALS = ['/auth/api-keys', '/share']
/** What follows from where runs went. */
const PLACES = ['/map', '/places']
const RUNS = [
  ...[
    '/workouts',
    '/stats',
    '/shoes',
    '/training',
    '/truth',
    '/races',
    ...PLACES,
    '/settings/default-shoe',
    ...HISTORY,
  ],
]

/** Changes, and the answers that each affects by the beginnings of their paths; the first row that fits counts. */
const ROWS: readonly (readonly [change: RegExp, answers: readonly string[]])[] = [
  // may be thousands of files: the events of the service are gathered
  [/^\/workouts\/import/, []],
  [/^import\.done/, [...RUNS, ...ARRIVALS]],
  [/^(\/workouts\/[^/]+\/media)/, ['$1', '/map/photos', ...HISTORY]],
  [/^(\/workouts|\/stats|workout\.)/, RUNS],
  [
    /^(\/shoes|shoe\.)/,
    ['/shoes', '/settings/default-shoe', '/training/proposals', '/training/today', '/workouts', ...HISTORY],
  ],
  [/^receipt\./, [...HISTORY, ...ARRIVALS]],
  [/^training\./, ['/training', '/truth', '/races', '/settings/training', '/workouts/:id?', '/workouts/:id/training']],
  [/^ground\./, [...PLACES, '/receipts', '/workouts/:id/ground']],
  [/^\/places/, [...PLACES, ...HISTORY]],
  [/^(\/settings\/page)/, ['$1']],
  [
    /^(\/settings|settings\.)/,
    ['/settings', '/shoes', '/stats', '/training', '/truth', '/races', ...PLACES, ...HISTORY],
  ],
  [/^(\/training\/proposals|\/receipts|\/trash)/, [...RUNS, '/settings']],
  [/^\/truth/, ['/truth', ...HISTORY]],
  [/^\/(training|races)/, ['/training', '/races', '/workouts', ...HISTORY]],
  [/^(\/watch-folder|watch_folder\.)/, ['/watch-folder']],
  [/^(\/auth\/api-keys)/, ['$1']],
  [/^\/auth/, []],
]

/**
 * The answers that are outdated after a change, by the beginnings of their paths.
 * @param change path of a call, or name of an event
 * @throws RangeError when the table has no row for it
 */
export function affectedBy(change: string): string[] {
  for (const [pattern, answers] of ROWS) {
    const [, first = ''] = pattern.exec(change) ?? []
    if (pattern.test(change)) return answers.map((path) => path.replace('$1', first))
  }
  throw new RangeError(`No row says what ${change} affects`)
}
