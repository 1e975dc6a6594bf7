import { eq } from 'drizzle-orm'
import { AppError, invalid } from '../../base/errors.ts'
import { unlessDiskFull } from '../../db/disk-full.ts'
import { users } from '../../db/schema-account.ts'
import type { Deps } from '../../library/deps.ts'
import type { HashTurns } from './hash-turns.ts'
import { isPassword } from './password.ts'
import { signToken } from './sessions.ts'
import { countAttempt, forgetFailures, logBlock, loginPair } from './throttle.ts'

interface LoginRequest {
  readonly username: string
  readonly password: string
  readonly rememberMe: boolean
  /** Address of the client; failed logins are counted by address and user name. */
  readonly address: string
}

/**
 * Creates a session. Unknown names and wrong passwords take equally long and get the same message.
 * @throws AppError 400 for a blank field, 401, 429
 */
export async function login(deps: Deps, hashing: HashTurns, sent: LoginRequest) {
  const username = sent.username.trim()
  if (username === '') throw invalid('username must not be blank')
  if (sent.password.trim() === '') throw invalid('password must not be blank')
  const pair = loginPair(deps, sent.address, username)
  using _turn = hashing.take(sent.address)
  const failures = countAttempt(deps, pair)
  const user = deps.db
    .select({ id: users.id, username: users.username, hash: users.passwordHash, version: users.sessionVersion })
    .from(users)
    .where(eq(users.username, username))
    .get()
  if (!(await isPassword(sent.password, user?.hash ?? null)) || user === undefined) {
    logBlock(deps, failures)
    deps.log.warn(`Failed login from ${sent.address}`)
    throw new AppError('unauthorized', 'Invalid username or password', { headers: { 'WWW-Authenticate': 'Bearer' } })
  }
  forgetFailures(deps, pair)
  unlessDiskFull(() => deps.db.update(users).set({ lastLoginAt: deps.now() }).where(eq(users.id, user.id)).run())
  const session = { userId: user.id, version: user.version, rememberMe: sent.rememberMe }
  return { userId: user.id, username: user.username, ...(await signToken(deps, session)) }
}
