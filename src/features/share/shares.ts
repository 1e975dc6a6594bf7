import { randomBytes } from 'node:crypto'
import type { Static } from '@sinclair/typebox'
import { and, desc, eq, gt, isNull, lte, or } from 'drizzle-orm'
import { notFound } from '../../base/errors.ts'
import type { Tx } from '../../db/open.ts'
import { workouts } from '../../db/schema.ts'
import { shares } from '../../db/schema-account.ts'
import type { SharedParts } from '../../db/stored.ts'
import { isoTime, isoTimeOrNull } from '../../engine/calendar/timestamp.ts'
import { DAY_MS } from '../../engine/units.ts'
import type { Deps } from '../../library/deps.ts'
import { workoutExists } from '../../library/ids.ts'
import type { Share } from './schemas.ts'

type Needs = Pick<Deps, 'db' | 'now'>

/** What a token opens. */
export type Shared = Pick<typeof shares.$inferSelect, 'workoutId' | 'show' | 'expiresAt'>

/** Those that work, with their runs: none that has expired, or whose run was deleted. */
function working(tx: Tx, nowMs: number, which?: ReturnType<typeof eq>) {
  const { name, startedAt, utcOffsetMinutes } = workouts
  return tx
    .select({ share: shares, name, startedAt, utcOffsetMinutes })
    .from(shares)
    .innerJoin(workouts, eq(workouts.id, shares.workoutId))
    .where(and(or(isNull(shares.expiresAt), gt(shares.expiresAt, nowMs)), which))
    .orderBy(desc(shares.createdAt), shares.token)
}

/** The newest first. A run in the trash has its address again once it is brought back. */
export function listShares({ db, now }: Needs, which?: ReturnType<typeof eq>): Static<typeof Share>[] {
  return working(db, now(), which)
    .all()
    .map(({ share: { token, workoutId, show, createdAt, expiresAt }, name, startedAt, utcOffsetMinutes }) => ({
      ...{ workoutId, url: `/s/${token}`, show, createdAt: isoTime(createdAt), expiresAt: isoTimeOrNull(expiresAt) },
      ...{ name, startedAt: isoTime(startedAt), utcOffsetMinutes },
    }))
}

/** Makes the address of a run; the one before stops working. @throws AppError 404 */
export function makeShare(
  deps: Needs,
  workoutId: string,
  { days, show }: { readonly days: number | null; readonly show: SharedParts },
): Static<typeof Share> {
  // 22 characters; of the token itself, since whoever reads the database has the runs anyway
  const token = randomBytes(16).toString('base64url')
  const createdAt = deps.now()
  const expiresAt = days === null ? null : createdAt + days * DAY_MS
  deps.db.transaction((tx) => {
    if (!workoutExists(tx, workoutId)) throw notFound('Workout')
    tx.delete(shares)
      .where(or(eq(shares.workoutId, workoutId), lte(shares.expiresAt, createdAt)))
      .run()
    tx.insert(shares).values({ token, workoutId, show, createdAt, expiresAt }).run()
  })
  return listShares(deps, eq(shares.token, token))[0]!
}

/** Withdraws the address of a run, where there is one. @throws AppError 404 */
export function withdrawShare({ db }: Needs, workoutId: string): void {
  if (!workoutExists(db, workoutId)) throw notFound('Workout')
  db.delete(shares).where(eq(shares.workoutId, workoutId)).run()
}

/** null for a token that is unknown, withdrawn, expired or of a deleted run, which are answered alike. */
export function sharedBy({ db, now }: Needs, token: string): Shared | null {
  return working(db, now(), eq(shares.token, token)).get()?.share ?? null
}
