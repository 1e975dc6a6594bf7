import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { loginFailures, users } from '../../db/schema-account.ts'
import { hashPassword, passwordFault } from './password.ts'

/**
 * Sets a new password for the only user, for anyone who may write to the database. All sessions end and failed logins
 * are forgotten; API keys stay valid. A running server notices at its next request.
 * @returns the user name
 * @throws Error with one sentence when there is no user, or the password breaks a rule
 */
export async function resetPassword(db: Db, password: string): Promise<string> {
  const user = db.select({ id: users.id, username: users.username }).from(users).get()
  if (user === undefined) throw new Error('There is no account yet; the first person to open the page creates it')
  const fault = passwordFault(password, user.username)
  if (fault !== null) throw new Error(fault)
  const passwordHash = await hashPassword(password)
  db.transaction((tx) => {
    const changed = { passwordHash, sessionVersion: sql`${users.sessionVersion} + 1` }
    tx.update(users).set(changed).where(eq(users.id, user.id)).run()
    tx.delete(loginFailures).run()
  })
  return user.username
}
