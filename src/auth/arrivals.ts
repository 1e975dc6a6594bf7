import { eq } from 'drizzle-orm'
import { apiKeys, users } from '../db/schema-account.ts'
import type { Deps } from '../deps.ts'
import { isoTime } from '../engine/calendar/timestamp.ts'
import { isObject } from '../json-object.ts'
import { cutText } from '../texts.ts'

/** Whose way in files take: a key, or the share sheet of a phone. */
type Way = { readonly keyId: string } | { readonly sharedBy: string }

/** Remembers of each way in when a file last came by it, so that whoever sets one up sees whether it works. */
export interface Arrivals {
  /** The gate let it pass. */
  expect(request: Request, way: Way): void
  /** What came was imported; with why not where nothing of it was. Noting it never fails what is noted. */
  told(request: Request, refusal: string | null): void
  /** Its answer, which may be a refusal before anything could be told. */
  answered(request: Request, answer: Response): Promise<void>
}

const MOST_CHARACTERS = 500

export function createArrivals(deps: Pick<Deps, 'db' | 'now' | 'log'>): Arrivals {
  const expected = new WeakMap<Request, Way>()
  const told = (request: Request, refusal: string | null) => {
    const way = expected.get(request)
    if (way === undefined) return
    expected.delete(request)
    try {
      remember(deps, way, refusal)
    } catch (error) {
      // the disk may be full, of which the answer tells by itself
      deps.log.warn(`The last upload of a way in could not be noted: ${error instanceof Error ? error.message : error}`)
    }
  }
  return {
    expect: (request, way) => void expected.set(request, way),
    told,
    answered: async (request, answer) => {
      if (answer.status < 400 || !expected.has(request)) return
      const body: unknown = await answer.clone().json()
      told(request, isObject(body) ? String(body.error) : null)
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

/** As the wire has it; null: nothing came yet. */
export function arrivalOf(atMs: number | null, error: string | null) {
  return atMs === null ? null : { at: isoTime(atMs), error }
}
