import { useCallback, useEffect } from 'preact/hooks'
import { ApiError, api, isAway, SESSION_ENDED, SESSION_EXPIRED, SESSION_RENEWED } from './api.ts'
import type { Units } from './format.ts'
import { createStore, forgetUnwatched, type Store, useStore } from './store.ts'
import type { User } from './types.ts'

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
 * error in the browser.
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

// changed in another window of the same browser
window.addEventListener('storage', ({ key }) => {
  if (key === THEME_KEY || key === null) {
    window.dispatchEvent(new Event('harrier:theme'))
    theme.set(storedTheme())
  }
  const chosen = key === UNITS_KEY ? localStorage.getItem(UNITS_KEY) : null
  if (chosen === 'metric' || chosen === 'imperial') showUnits(chosen)
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
    if (known === 'in' && (await isStillIn())) return
    const { registrationAvailable } = await api.get<{ registrationAvailable: boolean }>('/auth/registration-available')
    if (registrationAvailable) return session.set({ state: 'new' })
    session.set({ state: 'out' })
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return session.set({ state: 'out' })
    if (isAway(error)) session.set({ state: 'unreachable' })
    else session.set({ state: 'failed', message: error instanceof Error ? error.message : String(error) })
  } finally {
    clearTimeout(timer)
  }
}

/** @throws ApiError */
export async function logIn(username: string, password: string, rememberMe: boolean): Promise<void> {
  const before = session.get()
  await api.send('POST', '/auth/login', { username, password, rememberMe })
  if (before.state !== 'expired') resources.clear()
  await enter()
  window.dispatchEvent(new Event(SESSION_RENEWED))
}

/** @throws ApiError */
export async function register(username: string, password: string): Promise<void> {
  await api.send('POST', '/auth/register', { username, password, confirmPassword: password })
}

export async function logOut(): Promise<void> {
  await api.send('POST', '/auth/logout')
  localStorage.setItem(SESSION_KEY, 'out')
  resources.clear()
  window.dispatchEvent(new Event(SESSION_ENDED))
  session.set({ state: 'out' })
}

async function enter(): Promise<void> {
  const user = await api.get<User>('/auth/me')
  const preference = await api.get<{ unitPreference: Units }>('/settings/unit-preference')
  units.set(preference.unitPreference)
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
  showUnits(unitPreference)
}

function showUnits(unitPreference: Units): void {
  units.set(unitPreference)
  // mileage and weather records are served in the stored unit
  invalidate('/')
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
  readonly reload: () => void
}

interface Entry {
  readonly data: unknown
  readonly error: ApiError | null
  readonly isLoading: boolean
  readonly isStale: boolean
}

const NOTHING: Entry = { data: null, error: null, isLoading: false, isStale: true }
/** In order of last use. */
const resources = new Map<string, Store<Entry>>()
/** Answers kept for going back; the run page has eight, the samples being the largest. */
const MOST_KEPT = 20

/**
 * An answer of the service that views share by its key; loaded at first use, and again after it was invalidated.
 * @param key the path of the call, by which `invalidate` finds it; null loads nothing
 * @param load makes the call; used only when `key` is new
 */
export function useResource<T>(key: string | null, load: (path: string) => Promise<T> = api.get<T>): Resource<T> {
  const store = entryOf(key ?? '')
  const entry = useStore(store)
  const refresh = useCallback(() => {
    if (key !== null) void fill(store, () => load(key))
  }, [key, store])
  useEffect(() => {
    if (entry.isStale && !entry.isLoading) refresh()
  }, [entry, refresh])
  const isWaiting = key !== null && entry.isStale && entry.data === null
  return { data: entry.data as T | null, error: entry.error, isLoading: entry.isLoading || isWaiting, reload: refresh }
}

/** Loads everything again whose key begins with the prefix; the old data stays visible meanwhile. */
export function invalidate(prefix: string): void {
  for (const [key, store] of resources) {
    if (key.startsWith(prefix)) store.set({ ...store.get(), isStale: true })
  }
}

function entryOf(key: string): Store<Entry> {
  const store = resources.get(key) ?? createStore(NOTHING)
  resources.delete(key)
  resources.set(key, store)
  return store
}

async function fill(store: Store<Entry>, load: () => Promise<unknown>): Promise<void> {
  store.set({ ...store.get(), isLoading: true, isStale: false })
  try {
    const data = await load()
    store.set({ ...store.get(), data, error: null, isLoading: false })
  } catch (error) {
    const failure = error instanceof ApiError ? error : new ApiError(0, String(error))
    store.set({ ...store.get(), error: failure, isLoading: false })
  }
  // deferred, since resources requested during rendering are not watched yet
  forgetUnwatched(resources, MOST_KEPT)
}
