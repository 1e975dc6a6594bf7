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
  /** `expired`: the view stays, the login stands over it. */
  | { readonly state: 'in' | 'expired'; readonly user: User }
  /** The service does not answer. */
  | { readonly state: 'unreachable' }
  /** It answers, but with a failure. */
  | { readonly state: 'failed'; readonly message: string }

export type Theme = 'system' | 'light' | 'dark'

const THEME_KEY = 'harrier.theme'
/** `in` or `out`: the cookie cannot be read here, and asking with none would be a refusal in the log of the browser. */
const SESSION_KEY = 'harrier.session'
/** Tells other windows; the choice itself is kept by the service. */
const UNITS_KEY = 'harrier.units'

const session = createStore<Session>({ state: 'loading' })
const units = createStore<Units>('metric')
const theme = createStore<Theme>(storedTheme())

window.addEventListener(SESSION_EXPIRED, () => {
  const now = session.get()
  if (now.state === 'in') session.set({ ...now, state: 'expired' })
})

// what another window of the same browser chose
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

/** Addresses of a home lead nowhere elsewhere, and a browser may take minutes to say so. */
const PATIENCE_MS = 6000

/** Asks who is there; called once when the page starts and after a failure to reach the service. */
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

/** @throws ApiError for every other failure than a session that has ended */
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
  // mileage and records of the weather come in the stored unit
  invalidate('/')
}

/** The chosen theme and how to choose another. */
export function useTheme(): { readonly theme: Theme; readonly setTheme: (theme: Theme) => void } {
  return { theme: useStore(theme), setTheme }
}

function setTheme(chosen: Theme): void {
  if (chosen === 'system') localStorage.removeItem(THEME_KEY)
  else localStorage.setItem(THEME_KEY, chosen)
  // theme-start.js, which also follows the system, sets it on the document
  window.dispatchEvent(new Event('harrier:theme'))
  theme.set(chosen)
}

function storedTheme(): Theme {
  const stored = localStorage.getItem(THEME_KEY)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

/** What a view asked for: `data` stays while it is asked again. */
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
/** In the order of their last use. */
const resources = new Map<string, Store<Entry>>()
/** Answers that are kept for coming back; the run page has eight, of which the samples are the large one. */
const MOST_KEPT = 20

/**
 * An answer of the service that views share by its key; asked for when first used and when it was invalidated.
 * @param key the path of the call, so that `invalidate` finds it; null asks for nothing
 * @param load makes the call; it only matters when `key` is new
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

/** Everything whose key begins so is asked again; what is shown stays until the answer is there. */
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
  // not while views are rendered: what they have just asked for is not watched yet
  forgetUnwatched(resources, MOST_KEPT)
}
