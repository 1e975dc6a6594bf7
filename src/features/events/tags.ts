import { AppError } from '../../base/errors.ts'
import { changesSoFar } from '../../db/kept.ts'
import { isTagKnown } from '../../http/file-response.ts'
import { pathOf } from '../../http/paths.ts'
import { isGuarded, isTagged, runOf } from '../../http/tagged.ts'
import { placeOf } from '../../library/changes.ts'
import type { Deps } from '../../library/deps.ts'

/** Local days begin at quarters of an hour, and answers depend on the day. */
const QUARTER_MS = 900_000

type Needs = Pick<Deps, 'db' | 'now' | 'loads'>

/**
 * Tags of answers (RFC 9110, 8.8.3): `"<change>-<state>"`, the first part in the tag of a run alone: its last place in the
 * log. The state is that of the database in this process and of the fit, of the quarter of an hour, and of the address.
 */
export function createTags({ db, now, loads }: Needs) {
  const boot = Bun.randomUUIDv7().slice(-6)
  const tags = new WeakMap<Request, string>()
  const changeOf = (run: string) => placeOf(db, 'workout', run) ?? 0
  const stateNow = ({ url }: Request) => {
    const { revision = 0, today = 0 } = loads.fitness() ?? {}
    const address = Bun.hash(url.slice(url.indexOf('/', 8))).toString(36)
    return [boot, changesSoFar(db), Math.floor(now() / QUARTER_MS), revision, today, address].join('.')
  }
  return {
    /** Before a call is handled. @returns 304, when its client has the answer. @throws AppError 412, when the run was changed since */
    before: (request: Request): Response | undefined => {
      const { method, headers } = request
      const path = pathOf(request)
      const run = runOf(path)
      const wanted = headers.get('if-match')
      if (wanted !== null && run !== null && isGuarded(method, path)) {
        const known = wanted.split(',').map((tag) => /^"(\d+)-/.exec(tag.trim())?.[1])
        if (wanted.trim() !== '*' && !known.includes(String(changeOf(run))))
          throw new AppError('changed', 'The run was changed since', { field: 'If-Match' })
      }
      if (!isTagged(method, path)) return
      const tag = `"${run === null ? '' : `${changeOf(run)}-`}${stateNow(request)}"`
      tags.set(request, tag)
      const known = headers.get('if-none-match')
      // `*` asks whether anything is there, which is not known yet
      if (known !== null && known.trim() !== '*' && isTagKnown(known, tag)) return new Response(null, { status: 304 })
    },
    /** With the answer of a call. */
    after: (request: Request, { status, headers }: Response): void => {
      const tag = tags.get(request)
      if (tag !== undefined && (status === 200 || status === 304)) headers.set('ETag', tag)
    },
  }
}
