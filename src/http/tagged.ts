// Answers with an ETag that says which state of the library they are of (docs/api.md 1.1).

const RUN = '/workouts/([^/-]+-[^/]{27}|\\{id\\})'
const OF_RUN = new RegExp(`^${RUN}$`)
const TAGGED = new RegExp(`^(?:/workouts|${RUN}(?:/neighbours)?|/shoes|/races|/places|/training/goals|/stats/.+)$`)

/** The id of the run at a path that is its own. @param path as sent, or with `{id}` as in the API document */
export function runOf(path: string): string | null {
  return OF_RUN.exec(path)?.[1]?.toLowerCase() ?? null
}

/** Whether the answer has a tag, so that it may be 304. @param path as of `runOf` */
export function isTagged(method: string, path: string): boolean {
  return method === 'GET' && TAGGED.test(path)
}

/** Whether a change of a run may depend on its tag, so that the answer may be 412. @param path as of `runOf` */
export function isGuarded(method: string, path: string): boolean {
  return (method === 'PATCH' || method === 'DELETE') && runOf(path) !== null
}
