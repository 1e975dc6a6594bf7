import { eq } from 'drizzle-orm'
import { isObject } from '../../base/json-object.ts'
import { cutText } from '../../base/texts.ts'
import { apiKeys, users } from '../../db/schema-account.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import { REPLAYED_HEADER } from '../../http/author.ts'
import type { Deps } from '../../library/deps.ts'

type Way = { readonly keyId: string } | { readonly sharedBy: string }

export type Arrivals = ReturnType<typeof createArrivals>

const MOST_CHARACTERS = 500

/** Notes for each way when a file last arrived by it, so that the runner can check whether a new set-up works. */
export function createArrivals(deps: Pick<Deps, 'db' | 'now' | 'log'>) {
  const expected = new WeakMap<Request, Way>()
  /** Called after an import, with the reason when nothing was imported. Failing to note this never fails the import. */
  const noteArrival = (request: Request, refusal: string | null) => {
    const way = expected.get(request)
    if (way === undefined) return
    expected.delete(request)
    try {
      remember(deps, way, refusal)
    } catch (error) {
      // the disk may be full, which the answer reports itself
      deps.log.warn(
        `The time of the last upload could not be stored: ${error instanceof Error ? error.message : error}`,
      )
    }
  }
  return {
    expect: (request: Request, way: Way) => void expected.set(request, way),
    noteArrival,
    /** Called with the answer, which may be a refusal from before the import. */
    answered: async (request: Request, answer: Response) => {
      if (answer.status < 400 || !expected.has(request)) return
      const body: unknown = await answer.clone().json()
      // nothing arrived that was not noted before
      const isOfKey = isObject(body) && String(body.code).startsWith('idempotency_')
      if (isOfKey || answer.headers.has(REPLAYED_HEADER)) return
      noteArrival(request, isObject(body) ? String(body.error) : null)
    },
  }
}

function remember({ db, now }: Pick<Deps, 'db' | 'now'>, way: Way, refusal: string | null): void {
  const reason = refusal === null ? null : cutText(refusal, MOST_CHARACTERS)
  if ('keyId' in way) {
    db.update(apiKeys).set({ lastUploadAt: now(), lastUploadError: reason }).where(eq(apiKeys.id, way.keyId)).run()
  } else {
    db.update(users).set({ lastShareAt: now(), lastShareError: reason }).where(eq(users.id, way.sharedBy)).run()
  }
}

/** In the form of the API; null: nothing arrived yet. */
export function arrivalOf(atMs: number | null, error: string | null) {
  return atMs === null ? null : { at: isoTime(atMs), error }
}
