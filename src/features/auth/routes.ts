import { Type } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import { Elysia } from 'elysia'
import { invalid, unauthorized } from '../../base/errors.ts'
import { LENGTHS, PASSWORD } from '../../base/texts.ts'
import { unlessDiskFull } from '../../db/disk-full.ts'
import { users } from '../../db/schema-account.ts'
import { isoTime, parseTimestamp } from '../../engine/calendar/timestamp.ts'
import { waitingBodies } from '../../http/body-limits.ts'
import { call } from '../../http/call.ts'
import { json } from '../../http/json.ts'
import { documented, flag, meaning, moment, nullable, text, uuid } from '../../http/schemas.ts'
import type { Deps } from '../../library/deps.ts'
import { changePassword, currentUser, endSessions, isRegistrationOpen, register } from './accounts.ts'
import { createApiKey, listApiKeys, revokeApiKey } from './api-keys.ts'
import { callerOf } from './credentials.ts'
import { clientAddress } from './gate.ts'
import { isPassword } from './password.ts'
import { CreatedApiKey, ListedApiKey, SCOPE_WORDS, Scope, User } from './schemas.ts'
import { expiredCookie, sessionCookie, signToken } from './sessions.ts'
import { countAttempt, createHashTurns, forgetFailures, logBlock, loginPair } from './throttle.ts'

const Message = Type.Object({ message: text('What was done, for people') }, { title: 'Message' })

/** The rules of passwords; `passwordFault` reports the first that is broken. */
const PASSWORD_RULES = `${PASSWORD.least} to ${PASSWORD.most} characters, at most 72 bytes in UTF-8, not trimmed`

const newPassword = documented(text(PASSWORD_RULES), { minLength: PASSWORD.least, maxLength: PASSWORD.most })
const notBlank = (description: string) => documented(text(description), { minLength: 1 })

const Registration = Type.Object({
  username: documented(text('Trimmed, without control characters, case-sensitive'), {
    ...{ minLength: 1, maxLength: LENGTHS.username },
  }),
  password: newPassword,
  confirmPassword: Type.Optional(nullable(text('When present, equal to password'))),
})

const Registered = Type.Object({ message: text('User registered successfully'), userId: uuid('Id of the user') })

const Login = Type.Object({
  username: notBlank('Trimmed, case-sensitive'),
  password: notBlank('Not trimmed'),
  rememberMe: Type.Optional(
    nullable(
      flag('true: the session lasts JWT_REMEMBER_ME_EXPIRATION_DAYS (30), else JWT_EXPIRATION_DAYS (7); null: false'),
    ),
  ),
})

const LoggedIn = Type.Object({
  userId: uuid('Id of the user'),
  username: text('Name of the user'),
  expiresAt: moment('When the session ends'),
})

const PasswordChange = Type.Object({ currentPassword: notBlank('The password until now'), newPassword })

const NewApiKey = Type.Object(
  {
    label: Type.Optional(
      nullable(documented(text('What the runner calls it, trimmed; blank is null'), { maxLength: LENGTHS.label })),
    ),
    scope: Type.Optional(meaning(`${SCOPE_WORDS}; full when absent`, Scope)),
    expiresAt: Type.Optional(
      nullable(moment('From then on it is refused; in the future; null or absent: it does not expire')),
    ),
  },
  { title: 'NewApiKey', examples: [{ label: 'script' }, { label: 'phone', scope: 'upload' }] },
)

const PASSWORDS = `A password is refused when it is blank, shorter or longer than allowed, has one character five or more \
times in a row, contains the username (of 3 or more characters, in any case), or is common; the first of these is reported. \
Common, in any case, is a listed password, alone, repeated or with only digits before or after it; digits that go up or down by \
one throughout; or a walk along rows of the keyboard.`

const LOGIN = `Sets the cookie authToken, whose value also serves as bearer token. An unknown user is 401 with the same text \
and effort as a wrong password. Ten failures in 15 minutes block a pair of address and username, the right password included: \
429, and Retry-After says when the oldest failure leaves the window; a success resets the count. Cookies and API keys are unaffected. \
429 also while 16 logins, or 8 of one address, wait for their hash, which is no failure. On a full disk a login succeeds, without \
lastLoginAt and without counting.`

const PASSWORD_CHANGE = `400, in this order: a blank password; the new one breaks a rule of register; the current one is wrong, which \
counts with failed logins (429); both are equal. Ends all earlier sessions and their event streams, the token of this call \
included, and renews the cookie with its remember-me lifetime. API keys stay. 401 only for missing or unfit credentials.`

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
        answer: Registered,
        statuses: [408],
        says: `Works only while no user exists; sets no cookie. 400, in this order: username, password, confirmPassword, a user exists; \
of two parallel calls exactly one succeeds. ${PASSWORDS}`,
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
        answer: LoggedIn,
        statuses: [401, 408, 429],
        says: LOGIN,
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
        says: PASSWORD_CHANGE,
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
        says:
          'Ends all earlier sessions and their event streams, the token of this call included, and renews the cookie with its ' +
          'remember-me lifetime. API keys stay. 401 when the session ended meanwhile.',
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
        answer: Type.Object({ registrationAvailable: flag('true: no user exists yet') }),
        says: 'true until somebody registers, who then owns the service.',
      }),
    )
    .post(
      '/api-keys',
      async ({ body: { label = null, scope = 'full', expiresAt = null }, request, status }) => {
        const caller = await callerOf(deps, request)
        if (caller?.kind !== 'session') throw unauthorized()
        const expiresAtMs = expiresAt === null ? null : parseTimestamp(expiresAt)
        return status(201, createApiKey(deps, caller.userId, { label, scope, expiresAtMs }))
      },
      call('createApiKey', 'Create an API key', {
        body: json(NewApiKey, { optional: true }),
        answers: { 201: CreatedApiKey },
        says: 'The body may be absent, empty or null. Only this answer contains the key itself.',
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
        says: 'Revoked and expired keys stay listed.',
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
        statuses: [204],
        says: 'The key stops working immediately and stays listed; when it is revoked already, nothing changes. A key may revoke itself.',
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
  if (username === '') throw invalid('username must not be blank', { field: 'username' })
  if (sent.password.trim() === '') throw invalid('password must not be blank', { field: 'password' })
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
    throw unauthorized('Invalid username or password', { code: 'wrong_credentials' })
  }
  forgetFailures(deps, pair)
  unlessDiskFull(() => deps.db.update(users).set({ lastLoginAt: deps.now() }).where(eq(users.id, user.id)).run())
  const session = { userId: user.id, version: user.version, rememberMe: sent.rememberMe }
  return { userId: user.id, username: user.username, ...(await signToken(deps, session)) }
}
