import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Tx } from '../../db/open.ts'
import { users } from '../../db/schema-account.ts'
import { isoTime, isoTimeOrNull } from '../../engine/calendar/timestamp.ts'
import type { Deps } from '../../library/deps.ts'

// The token in the address of the calendar feed. As of keys only its hash is stored, so neither a backup nor a key that
// reads shows an address that works; a second calendar app takes a new one.

/** There is one account. */
const stored = (tx: Tx) => tx.select({ hash: users.calendarHash, madeAtMs: users.calendarMadeAt }).from(users).get()

export function feedState(tx: Tx) {
  return { createdAt: isoTimeOrNull(stored(tx)?.madeAtMs) }
}

/** Makes a token, which is returned only here; the one before is withdrawn. */
export function makeFeed({ db, now }: Pick<Deps, 'db' | 'now'>) {
  const token = randomBytes(32).toString('base64url')
  const madeAtMs = now()
  db.update(users)
    .set({ calendarHash: sha256(token).toString('hex'), calendarMadeAt: madeAtMs })
    .run()
  return { path: `/calendar/${token}.ics`, createdAt: isoTime(madeAtMs) }
}

export function withdrawFeed({ db }: Pick<Deps, 'db'>): void {
  db.update(users).set({ calendarHash: null, calendarMadeAt: null }).run()
}

/** Whether the last part of a path is the token and `.ics`; takes as long when there is none. */
export function isFeed(tx: Tx, file: string): boolean {
  const hash = stored(tx)?.hash ?? null
  const isEqual = timingSafeEqual(sha256(file.replace(/\.ics$/, '')), Buffer.from(hash ?? '0'.repeat(64), 'hex'))
  return isEqual && hash !== null && file.endsWith('.ics')
}

function sha256(text: string): Buffer {
  return Buffer.from(new Bun.CryptoHasher('sha256').update(text).digest())
}
