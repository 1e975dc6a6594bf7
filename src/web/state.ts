import { useLayoutEffect } from 'preact/hooks'
import { ApiError, api, isAway, SESSION_ENDED, SESSION_EXPIRED, SESSION_RENEWED } from './api.ts'
import type { Units } from './format.ts'
import { forgetKept, keepOnlyFor, offlineSince } from './kept.ts'
import {
  answerOf,
  createStore,
  type Entry,
  forgetAnswers,
  forgetUnused,
  isSame,
  noteReloads,
  type Store,
  useStore,
} from './store.ts'
import type { Answer, Known, User } from './types.ts'

export type Session =
  | { readonly state: 'loading' }
  /** No account exists yet. */
  | { readonly state: 'new' }
  | { readonly state: 'out' }
  /** `expired`: the view stays, and the login opens over it. */
  | { readonly state: 'in' | 'expired'; readonly user: User }
  /** The service does not answer. */
  | { readonly state: 'unreachable' }
  /** The service answers with an error. */
  | { readonly state: 'failed'; readonly message: string }

export type Theme = 'system' | 'light' | 'dark'

const THEME_KEY = 'harrier.theme'
/**
 * Whether the last state was `in` or `out`: the cookie cannot be read here, and a request without one would log an
 * error in the browser. `leaving`: logged out while the service was away, which is reported to it first.
 */
const SESSION_KEY = 'harrier.session'
/** Notifies other windows; the setting itself is stored by the service. */
const UNITS_KEY = 'harrier.units'

const session = createStore<Session>({ state: 'loading' })
const units = createStore<Units>('metric')
const theme = createStore<Theme>(storedTheme())

window.addEventListener(SESSION_EXPIRED, () => {
  const now = session.get()
  if (now.state === 'in') session.set({ ...now, state: 'expired' })
})

window.addEventListener(SESSION_ENDED, () => void forgetKept())

// changed in another window of the same browser
window.addEventListener('storage', ({ key }) => {
  if (key === THEME_KEY || key === null) {
    window.dispatchEvent(new Event('harrier:theme'))
    theme.set(storedTheme())
  }
  const chosen = key === UNITS_KEY ? localStorage.getItem(UNITS_KEY) : null
  if (chosen === 'metric' || chosen === 'imperial') units.set(chosen)
})

export function useSession(): Session {
  return useStore(session)
}

/** Outside of the home network, its addresses do not answer, and a browser may take minutes to report that. */
const PATIENCE_MS = 6000

/** Loads the session; called when the page starts, and after the service was unreachable. */
export async function startSession(): Promise<void> {
  if (session.get().state !== 'unreachable') session.set({ state: 'loading' })
  const timer = setTimeout(() => {
    if (session.get().state === 'loading') session.set({ state: 'unreachable' })
  }, PATIENCE_MS)
  const known = localStorage.getItem(SESSION_KEY)
  try {
    if (known === 'leaving') await leave()
    if (known === 'in' && (await isStillIn())) return
    void forgetKept()
    const { registrationAvailable } = await api.get('/auth/registration-available')
    session.set({ state: registrationAvailable ? 'new' : 'out' })
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) session.set({ state: 'out' })
    else if (isAway(error)) session.set({ state: 'unreachable' })
    else session.set({ state: 'failed', message: error instanceof Error ? error.message : String(error) })
  } finally {
    clearTimeout(timer)
  }
}

interface Account {
  readonly username: string
  readonly password: string
}

/** @throws ApiError */
export async function logIn(account: Account & { readonly rememberMe: boolean }): Promise<void> {
  const before = session.get()
  await api.send('POST', '/auth/login', account)
  if (before.state !== 'expired') forgetAnswers()
  await enter()
  window.dispatchEvent(new Event(SESSION_RENEWED))
}

/** @throws ApiError */
export async function register(account: Account): Promise<void> {
  await api.send('POST', '/auth/register', { ...account, confirmPassword: account.password })
}

export async function logOut(): Promise<void> {
  if (offlineSince.get() === null) await leave()
  else localStorage.setItem(SESSION_KEY, 'leaving')
  forgetAnswers()
  window.dispatchEvent(new Event(SESSION_ENDED))
  session.set({ state: 'out' })
}

async function leave(): Promise<void> {
  await api.send('POST', '/auth/logout')
  localStorage.setItem(SESSION_KEY, 'out')
}

async function enter(): Promise<void> {
  const user = await api.get('/auth/me')
  await keepOnlyFor(user.userId)
  // settings are not kept, but the unit of this device is
  const isOffline = offlineSince.get() !== null
  const unit = isOffline ? localStorage.getItem(UNITS_KEY) : (await api.get('/settings/unit-preference')).unitPreference
  units.set(unit === 'imperial' ? unit : 'metric')
  localStorage.setItem(UNITS_KEY, units.get())
  localStorage.setItem(SESSION_KEY, 'in')
  session.set({ state: 'in', user })
}

/** @throws ApiError for every failure except an expired session */
async function isStillIn(): Promise<boolean> {
  try {
    await enter()
    return true
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return false
    throw error
  }
}

export function useUnits(): Units {
  return useStore(units)
}

/** @throws ApiError */
export async function saveUnits(unitPreference: Units): Promise<void> {
  await api.send('PUT', '/settings/unit-preference', { unitPreference })
  localStorage.setItem(UNITS_KEY, unitPreference)
  units.set(unitPreference)
}

/** The chosen theme, and a function to change it. */
export function useTheme(): { readonly theme: Theme; readonly setTheme: (theme: Theme) => void } {
  return { theme: useStore(theme), setTheme }
}

function setTheme(chosen: Theme): void {
  if (chosen === 'system') localStorage.removeItem(THEME_KEY)
  else localStorage.setItem(THEME_KEY, chosen)
  // theme-start.js applies it, and also follows the system
  window.dispatchEvent(new Event('harrier:theme'))
  theme.set(chosen)
}

function storedTheme(): Theme {
  const stored = localStorage.getItem(THEME_KEY)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

/** An answer for a view: `data` stays while it is loaded again. */
export interface Resource<T> {
  readonly data: T | null
  readonly error: ApiError | null
  readonly isLoading: boolean
}

/**
 * An answer of the service that views share by its path; loaded at first use, and again when it is outdated.
 * @param path of the call; null loads nothing
 */
export function useResource<const P extends string>(
  path: (P & Known<'GET', P>) | null,
  isHeld = false,
): Resource<Answer<P>> {
  // only null needs no path, and is not loaded
  return useLoaded(path, () => api.get<P>(path as P & Known<'GET', P>), isHeld)
}

/** Shows what a change answered, until it is loaded again. */
export function showAnswer<const P extends string>(path: P & Known<'GET', P>, data: Answer<P>): void {
  const store = answerOf(path)
  store.set({ ...store.get(), data })
}

/**
 * As `useResource`, for what takes several calls.
 * @param load makes them; used only when `key` is new
 * @param isHeld while true an outdated answer stays, since what it is about may be gone
 */
export function useLoaded<T>(key: string | null, load: () => Promise<T>, isHeld = false): Resource<T> {
  const store = answerOf(key ?? '')
  const entry = useStore(store)
  // an effect after painting would ask a frame later
  useLayoutEffect(() => {
    // another view may have begun since this one was rendered
    const now = store.get()
    if (key !== null && !isHeld && now.isStale && !now.isLoading) void fill(store, load)
  }, [entry, store, isHeld])
  // an outdated one is loaded as soon as it is shown
  const isWaiting = key !== null && entry.isStale
  return {
    data: entry.data as T | null,
    error: entry.error as ApiError | null,
    isLoading: entry.isLoading || isWaiting,
  }
}

async function fill(store: Store<Entry>, load: () => Promise<unknown>): Promise<void> {
  store.set({ ...store.get(), isLoading: true, isStale: false, askedMs: performance.now() })
  try {
    const data = await load()
    const before = store.get()
    // what says the same stays, so that nothing is drawn again
    store.set({ ...before, data: isSame(data, before.data) ? before.data : data, error: null, isLoading: false })
  } catch (error) {
    const failure = error instanceof ApiError ? error : new ApiError(0, String(error))
    store.set({ ...store.get(), error: failure, isLoading: false })
  }
  forgetUnused()
  noteReloads()
}
