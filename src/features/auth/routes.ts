import { Type } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import { Elysia } from 'elysia'
import { AppError, invalid, unauthorized } from '../../base/errors.ts'
import { LENGTHS, PASSWORD } from '../../base/texts.ts'
import { unlessDiskFull } from '../../db/disk-full.ts'
import { users } from '../../db/schema-account.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import { waitingBodies } from '../../http/body-limits.ts'
import { call } from '../../http/call.ts'
import { json } from '../../http/json.ts'
import { choice, documented, nullable, Timestamp, Uuid } from '../../http/schemas.ts'
import type { Deps } from '../../library/deps.ts'
import { changePassword, currentUser, endSessions, isRegistrationOpen, register } from './accounts.ts'
import { createApiKey, listApiKeys, revokeApiKey, SCOPES } from './api-keys.ts'
import { callerOf } from './credentials.ts'
import { clientAddress } from './gate.ts'
import { isPassword } from './password.ts'
import { ApiKey, ListedApiKey, User } from './schemas.ts'
import { expiredCookie, sessionCookie, signToken } from './sessions.ts'
import { countAttempt, createHashTurns, forgetFailures, logBlock, loginPair } from './throttle.ts'

const Message = Type.Object({ message: Type.String() }, { title: 'Message' })

const newPassword = documented(Type.String({ description: 'At most 72 bytes in UTF-8, not a common one' }), {
  minLength: PASSWORD.least,
  maxLength: PASSWORD.most,
})
const notBlank = documented(Type.String(), { minLength: 1 })

const Registration = Type.Object(
  {
    username: documented(Type.String({ description: 'Trimmed' }), { minLength: 1, maxLength: LENGTHS.username }),
    password: newPassword,
    confirmPassword: Type.Optional(nullable(Type.String({ description: 'When present, equal to password' }))),
  },
  { examples: [{ username: 'runner', password: 'correct-horse-battery-staple' }] },
)

const Login = Type.Object(
  {
    username: notBlank,
    password: notBlank,
    rememberMe: Type.Optional(nullable(Type.Boolean({ description: '30 instead of 7 days' }))),
  },
  { examples: [{ username: 'runner', password: 'correct-horse-battery-staple', rememberMe: true }] },
)

const PasswordChange = Type.Object(
  { currentPassword: notBlank, newPassword },
  // refused as too common before the current password is checked, so that trying the example changes nothing and counts
  // as no failed attempt
  { examples: [{ currentPassword: 'the one until now', newPassword: 'passwordpassword' }] },
)

const SCOPE_WORDS = 'full (when absent): all but keys and the password; read: GET, but not of keys; upload: imports'

const NewApiKey = Type.Object(
  {
    label: Type.Optional(
      nullable(documented(Type.String({ description: 'Trimmed; blank is null' }), { maxLength: LENGTHS.label })),
    ),
    scope: Type.Optional({ ...choice(...SCOPES), description: SCOPE_WORDS }),
  },
  { examples: [{ label: 'script' }, { label: 'phone', scope: 'upload' }] },
)

export function authRoutes(deps: Deps) {
  const { db, config } = deps
  const waiting = waitingBodies(deps.after)
  const hashTurn = createHashTurns()
  return new Elysia({ prefix: '/auth', tags: ['Auth'] })
    .post(
      '/register',
      async ({ body: { username, password, confirmPassword = null } }) => {
        const userId = await register(deps, { username, password, confirmPassword })
        return { message: 'User registered successfully', userId }
      },
      call('register', 'Create the only user', {
        body: json(Registration, { waiting }),
        answer: Type.Object({ message: Type.String(), userId: Uuid }),
        statuses: [408, 503],
        says: 'Works only while no user exists.',
      }),
    )
    .post(
      '/login',
      async ({ body: { username, password, rememberMe = false }, request, server, set }) => {
        const address = clientAddress(request, { trustProxy: config.trustProxy, server })
        const isLong = rememberMe === true
        const session = await login(deps, hashTurn, { username, password, rememberMe: isLong, address })
        set.cookie = sessionCookie(config, request, { token: session.token, rememberMe: isLong })
        return { userId: session.userId, username: session.username, expiresAt: isoTime(session.expiresAtMs) }
      },
      call('logIn', 'Log in', {
        body: json(Login, { waiting }),
        answer: Type.Object({ userId: Uuid, username: Type.String(), expiresAt: Timestamp }),
        statuses: [401, 408, 429, 503],
        says: 'Sets the cookie authToken, whose value also serves as bearer token.',
      }),
    )
    .post(
      '/change-password',
      async ({ body, request, server, set }) => {
        const caller = await callerOf(deps, request)
        if (caller?.kind !== 'session') throw unauthorized()
        const address = clientAddress(request, { trustProxy: config.trustProxy, server })
        const session = await changePassword(deps, caller, { ...body, address })
        const { token } = await signToken(deps, session)
        set.cookie = sessionCookie(config, request, { token, rememberMe: session.rememberMe })
        return { message: 'Password updated successfully' }
      },
      call('changePassword', 'Change the password', {
        body: PasswordChange,
        answer: Message,
        statuses: [429],
        says: 'Ends all other sessions and renews the cookie.',
      }),
    )
    .post(
      '/logout-others',
      async ({ request, set, status }) => {
        const caller = await callerOf(deps, request)
        if (caller?.kind !== 'session') throw unauthorized()
        const session = endSessions(deps, caller)
        deps.log.info('All other sessions were ended')
        const { token } = await signToken(deps, session)
        set.cookie = sessionCookie(config, request, { token, rememberMe: session.rememberMe })
        return status(204)
      },
      call('logOutOthers', 'Log out other devices', {
        parse: 'none',
        statuses: [204],
        says: 'Ends other sessions, renews the cookie.',
      }),
    )
    .get(
      '/me',
      async ({ request }) => {
        const caller = await callerOf(deps, request)
        if (caller === null) throw unauthorized()
        return currentUser(db, caller.userId)
      },
      call('getCurrentUser', 'The current user', {
        answer: User,
        says: 'Answers for a session and for an API key of any scope that may read.',
      }),
    )
    .post(
      '/logout',
      ({ request, set }) => {
        set.cookie = expiredCookie(config, request)
        return { message: 'Logged out successfully' }
      },
      call('logOut', 'Clear the cookie', {
        parse: 'none',
        answer: Message,
        says: 'The token stays valid until it expires.',
      }),
    )
    .get(
      '/registration-available',
      () => ({ registrationAvailable: isRegistrationOpen(db) }),
      call('isRegistrationAvailable', 'Whether no user exists yet', {
        answer: Type.Object({ registrationAvailable: Type.Boolean() }),
        says: 'true until somebody has registered, who owns it.',
      }),
    )
    .post(
      '/api-keys',
      async ({ body: { label = null, scope = 'full' }, request, status }) => {
        const caller = await callerOf(deps, request)
        if (caller?.kind !== 'session') throw unauthorized()
        return status(201, createApiKey(deps, caller.userId, { label, scope }))
      },
      call('createApiKey', 'Create an API key', {
        body: json(NewApiKey, { optional: true }),
        answers: { 201: Type.Object({ ...ApiKey, key: Type.String({ description: 'Shown only here' }) }) },
        says: 'Only this answer contains the key itself.',
      }),
    )
    .get(
      '/api-keys',
      async ({ request }) => {
        const caller = await callerOf(deps, request)
        if (caller === null) throw unauthorized()
        return listApiKeys(db, caller.userId)
      },
      call('listApiKeys', 'All API keys without their secrets, newest first', {
        answer: Type.Array(ListedApiKey),
        says: 'Revoked keys stay listed.',
      }),
    )
    .delete(
      '/api-keys/:id',
      ({ params: { id }, status }) => {
        revokeApiKey(deps, id)
        return status(204)
      },
      call('revokeApiKey', 'Revoke an API key', {
        path: { id: 'API key' },
        statuses: [204, 404],
        says: 'The key stops working immediately and stays listed as revoked.',
      }),
    )
}

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
async function login(deps: Deps, hashTurn: ReturnType<typeof createHashTurns>, sent: LoginRequest) {
  const username = sent.username.trim()
  if (username === '') throw invalid('username must not be blank')
  if (sent.password.trim() === '') throw invalid('password must not be blank')
  const pair = loginPair(deps, sent.address, username)
  using _turn = hashTurn(sent.address)
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
