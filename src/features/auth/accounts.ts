import { and, count, eq, sql } from 'drizzle-orm'
import { invalid, unauthorized } from '../../base/errors.ts'
import { LENGTHS } from '../../base/texts.ts'
import type { Tx } from '../../db/open.ts'
import { users } from '../../db/schema-account.ts'
import { isoTime, isoTimeOrNull } from '../../engine/calendar/timestamp.ts'
import { characters } from '../../http/check.ts'
import type { Deps } from '../../library/deps.ts'
import { hashPassword, isPassword, passwordFault } from './password.ts'
import type { Session } from './sessions.ts'
import { countAttempt, forgetFailures, logBlock, loginPair } from './throttle.ts'

export function isRegistrationOpen(tx: Tx): boolean {
  return (tx.select({ n: count() }).from(users).get()?.n ?? 0) === 0
}

/** Creates the only user; of concurrent calls exactly one succeeds. @returns the user's id @throws AppError 400 */
export async function register(
  { db, now }: Deps,
  sent: { username: string; password: string; confirmPassword: string | null },
): Promise<string> {
  const username = sent.username.trim()
  const fault = usernameFault(username)
  if (fault !== null) throw invalid(fault, { field: 'username' })
  refuseWeak(sent.password, { username, field: 'password' })
  if (sent.confirmPassword !== null && sent.confirmPassword !== sent.password) {
    throw invalid('confirmPassword must equal password', { field: 'confirmPassword' })
  }
  refuseSecondUser(db)
  const passwordHash = await hashPassword(sent.password)
  const id = Bun.randomUUIDv7()
  db.transaction((tx) => {
    refuseSecondUser(tx)
    tx.insert(users).values({ id, username, passwordHash, createdAt: now() }).run()
  })
  return id
}

/**
 * Changes the password and ends every earlier session, including the caller's, for which a new one is returned. Wrong
 * current passwords count like failed logins; otherwise anyone at an unattended browser could guess without limit.
 * @throws AppError 400, 429; 401 when the session ended meanwhile
 */
export async function changePassword(
  deps: Deps,
  session: Session,
  { currentPassword, newPassword, address }: { currentPassword: string; newPassword: string; address: string },
): Promise<Session> {
  const { db, log } = deps
  const user = db
    .select({ username: users.username, passwordHash: users.passwordHash })
    .from(users)
    .where(eq(users.id, session.userId))
    .get()
  if (user === undefined) throw unauthorized()
  if (currentPassword.trim() === '') throw invalid('currentPassword must not be blank', { field: 'currentPassword' })
  refuseWeak(newPassword, { username: user.username, field: 'newPassword' })
  const pair = loginPair(deps, address, user.username)
  const failures = countAttempt(deps, pair)
  if (!(await isPassword(currentPassword, user.passwordHash))) {
    logBlock(deps, failures)
    throw invalid('currentPassword is wrong', { code: 'wrong_credentials', field: 'currentPassword' })
  }
  forgetFailures(deps, pair)
  if (newPassword === currentPassword)
    throw invalid('newPassword must differ from currentPassword', { code: 'weak_password', field: 'newPassword' })
  const passwordHash = await hashPassword(newPassword)
  const renewed = endSessions(deps, session, { passwordHash })
  log.info('The password was changed')
  return renewed
}

/**
 * Ends every earlier session, including the caller's, for which a new one is returned.
 * @throws AppError 401 when the caller's session ended meanwhile
 */
export function endSessions({ db, events }: Deps, session: Session, more: { passwordHash?: string } = {}): Session {
  const changed = db
    .update(users)
    .set({ ...more, sessionVersion: sql`${users.sessionVersion} + 1` })
    .where(and(eq(users.id, session.userId), eq(users.sessionVersion, session.version)))
    .returning({ version: users.sessionVersion })
    .get()
  if (changed === undefined) throw unauthorized()
  events.emit({ event: 'credentials.changed', data: {} })
  return { ...session, version: changed.version }
}

export function currentUser(tx: Tx, userId: string) {
  const user = tx
    .select({ username: users.username, createdAt: users.createdAt, lastLoginAt: users.lastLoginAt })
    .from(users)
    .where(eq(users.id, userId))
    .get()
  if (user === undefined) throw unauthorized()
  return {
    userId,
    username: user.username,
    createdAt: isoTime(user.createdAt),
    lastLoginAt: isoTimeOrNull(user.lastLoginAt),
  }
}

function usernameFault(username: string): string | null {
  const length = characters(username)
  if (length < 1 || length > LENGTHS.username) {
    return `username must be text of 1 to ${LENGTHS.username} characters`
  }
  return /\p{Cc}/u.test(username) ? 'username must not contain control characters' : null
}

function refuseWeak(password: string, { username, field }: { username: string; field: string }): void {
  const fault = passwordFault(password, username, field)
  if (fault !== null) throw invalid(fault, { code: 'weak_password', field })
}

function refuseSecondUser(tx: Tx): void {
  if (!isRegistrationOpen(tx))
    throw invalid('A user exists already, registration is closed', { code: 'registration_closed' })
}
