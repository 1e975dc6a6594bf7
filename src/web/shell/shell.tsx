import type { ComponentType } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { type Address, addressOf, LEADS, TITLES } from '../addresses.ts'
import { useWatchNews } from '../asked.ts'
import { DropTarget, ImportButton, showShared, useHasImports } from '../import/drop.tsx'
import { offlineSince } from '../kept.ts'
import { Link, navigate, useRoute, useShortcuts } from '../router.ts'
import { Home } from '../screens/home.tsx'
import { Runs } from '../screens/runs.tsx'
import { logOut, useSession, useTheme } from '../state.ts'
import { noteReloads, reloadFailure, retryFailed, useStore } from '../store.ts'
import { Button, Icon, type IconName } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Empty, failureToast, Lazy, LazyView, LoadFailure } from '../ui/loaded.tsx'
import { Menu } from '../ui/menu.tsx'
import { toast } from '../ui/toast.tsx'
import { Logo, OfflineBanner } from './away.tsx'

type Place = readonly [path: Address, icon: IconName]

const PLACES: readonly Place[] = [
  ['/app', 'dashboard'],
  ['/app/runs', 'runs'],
  ['/app/training', 'training'],
  ['/app/map', 'streets'],
]

/** Beside them where there is room, else under More. */
const MORE: readonly Place[] = [
  ['/app/bests', 'trophy'],
  ['/app/statistics', 'stats'],
  ['/app/shoes', 'shoes'],
  ['/app/settings', 'settings'],
]
/** Only under More, as views of others lead there too. */
const UNDER_MORE: readonly Place[] = [
  ['/app/places', 'place'],
  ['/app/history', 'clock'],
]

const LOGIN = '/app/login'
const WATCH_NEWS = 'some files in the watch folder couldn’t be read'

/** Navigation, the current view, and imports. */
export function Shell() {
  const route = useRoute()
  // target of a share without a session
  const lead = LEADS.get(route.path) ?? null
  const path = route.path === LOGIN ? '/app' : (lead ?? route.path).replace(/\?.*/, '')
  useEffect(() => {
    const { query } = route
    if (route.path !== LOGIN && !query.has('shared')) return
    navigate(path, { replace: true })
    if (query.has('shared')) void showShared(query)
  }, [])
  useLayoutEffect(() => {
    if (lead !== null) navigate(lead, { replace: true })
  }, [lead])
  const main = useRef<HTMLElement>(null)
  const views = useRef(0)
  const hasWatchNews = useWatchNews()
  const hasImports = useHasImports()
  const [isListing, setListing] = useState(false)
  useShortcuts(({ key }) => key === '?' && setListing(true))
  /** Focuses the heading, so that screen readers announce the view; the browser announces the first one. */
  const focusHeading = () => main.current?.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
  useEffect(() => {
    const place = addressOf(path)
    // a run sets its own when it is loaded
    document.title = `${place === null ? 'Page not found' : TITLES[place.address]} · Harrier`
    if (views.current > 0) focusHeading()
    views.current += 1
    // what failed in the view before is asked again when it is next shown
    retryFailed()
    noteReloads()
  }, [path])
  return (
    <div class="shell">
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="topbar level">
        <Link href="/app" class="home" aria-label="Harrier, home">
          <Logo isSmall />
        </Link>
        <nav class="level gap-1" aria-label="Main">
          {[...PLACES, ...MORE].map(([to, icon]) => (
            <Link
              key={to}
              href={to}
              class={`nav-link level muted${MORE.some(([one]) => one === to) ? ' wide-only' : ''}`}
              {...(isHere(to, path) ? { 'aria-current': 'page' as const } : {})}
            >
              <Icon name={icon} />
              <span>{TITLES[to]}</span>
              {hasWatchNews && to === '/app/settings' && (
                <span class="news">
                  <span class="hidden-text">: {WATCH_NEWS}</span>
                </span>
              )}
            </Link>
          ))}
          <MoreMenu current={path} isNews={hasWatchNews} />
        </nav>
        <div class="level push">
          <AddRunButton />
          <ImportButton />
          <AccountMenu onShortcuts={() => setListing(true)} />
        </div>
      </header>
      <OfflineBanner />
      <OutdatedBanner />
      <main id="main" ref={main} tabIndex={-1}>
        {lead === null && <View path={path} onShown={() => views.current > 1 && focusHeading()} />}
      </main>
      <DropTarget />
      {hasImports && <Lazy load={loadTray} props={{ isInline: false }} waiting={failureToast} />}
      {isListing && <Shortcuts onClose={() => setListing(false)} />}
    </div>
  )
}

/** Says that what is shown is older, since it could not be loaded again; the offline banner says so of all. */
function OutdatedBanner() {
  const message = useStore(reloadFailure)
  const isOffline = useStore(offlineSince) !== null
  if (message === null || isOffline) return null
  return (
    <div class="outdated">
      <LoadFailure message={`Some of this may be out of date. ${message}`} />
    </div>
  )
}

const isHere = (path: Address, current: string) => (path === '/app' ? current === path : current.startsWith(path))

/** The places that are not among the first four; the fifth tab of a phone. */
function MoreMenu({ current, isNews }: { readonly current: string; readonly isNews: boolean }) {
  const places = [...MORE.slice(0, -1), ...UNDER_MORE, ...MORE.slice(-1)]
  const isAmong = places.some(([path]) => isHere(path, current))
  return (
    <Menu
      label={isNews ? `More: ${WATCH_NEWS}` : 'More'}
      buttonClass={`nav-link level muted bare${isAmong ? ' here' : ''}`}
      items={places.map(([path, icon]) => ({ text: TITLES[path], icon, onChoose: () => navigate(path) }))}
    >
      <Icon name="more" />
      <span>More</span>
      {isNews && <span class="news" />}
    </Menu>
  )
}

function AccountMenu({ onShortcuts }: { readonly onShortcuts: () => void }) {
  const session = useSession()
  const { theme, setTheme } = useTheme()
  const username = 'user' in session ? session.user.username : ''
  const isDark = theme === 'dark' || (theme === 'system' && window.matchMedia('(prefers-color-scheme: dark)').matches)
  return (
    <Menu
      label={`Account: ${username}`}
      buttonClass="button icon-only account"
      items={[
        {
          text: isDark ? 'Light theme' : 'Dark theme',
          icon: isDark ? 'sun' : 'moon',
          onChoose: () => setTheme(isDark ? 'light' : 'dark'),
        },
        { text: 'Settings', icon: 'settings', onChoose: () => navigate('/app/settings') },
        { text: 'History', icon: 'clock', onChoose: () => navigate('/app/history') },
        { text: 'Keyboard shortcuts', icon: 'info', onChoose: onShortcuts },
        {
          text: 'Log out',
          icon: 'logout',
          onChoose: () => void logOut().catch((error: Error) => toast(error.message)),
        },
      ]}
    >
      <span aria-hidden="true">{[...username][0]?.toUpperCase() ?? '?'}</span>
    </Menu>
  )
}

/** @param props.onShown called when a view that is loaded later is rendered */
function View({ path, onShown }: { readonly path: string; readonly onShown: () => void }) {
  const place = addressOf(path)
  if (place === null) {
    return (
      <div class="page">
        <Empty
          icon="search"
          title="Page not found"
          isView
          action={
            <Link href="/app" class="button">
              Go to Home
            </Link>
          }
        />
      </div>
    )
  }
  const { address, id } = place
  if (address === '/app' || address === '/app/login') return <Home />
  if (address === '/app/runs') return <Runs />
  return <LazyView load={LATER[address]} props={{ id }} onShown={onShown} key={path} />
}

const loadSettings = () => import('../screens/settings/settings.tsx').then(({ Settings }) => Settings)

/** The views that are loaded when they are first opened; the page of a run comes with its charts, which no other needs. */
const LATER: Readonly<
  Record<Exclude<Address, '/app' | '/app/login' | '/app/runs'>, () => Promise<ComponentType<{ readonly id: string }>>>
> = {
  '/app/runs/{id}': () => import('../run/run-page.tsx').then(({ RunPage }) => RunPage),
  '/app/training': () => import('../screens/training/training.tsx').then(({ Training }) => Training),
  '/app/bests': () => import('../screens/bests.tsx').then(({ Bests }) => Bests),
  '/app/map': () => import('../map/map-page.tsx').then(({ MapPage }) => MapPage),
  '/app/statistics': () => import('../screens/statistics.tsx').then(({ Statistics }) => Statistics),
  '/app/places': () => import('../map/places-page.tsx').then(({ PlacesPage }) => PlacesPage),
  '/app/shoes': () => import('../screens/shoes.tsx').then(({ Shoes }) => Shoes),
  '/app/settings': loadSettings,
  '/app/settings/you': loadSettings,
  '/app/settings/runs-in': loadSettings,
  '/app/settings/data': loadSettings,
  '/app/settings/access': loadSettings,
  '/app/settings/about': loadSettings,
  '/app/history': () => import('../screens/history.tsx').then(({ History }) => History),
  '/app/receipts/{id}': () => import('../screens/history.tsx').then(({ ReceiptView }) => ReceiptView),
}
const loadTray = () => import('../import/tray.tsx').then(({ ImportTray }) => ImportTray)

/** Keys, separated by blanks where one of several will do, and what they do. */
const SHORTCUTS: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  Everywhere: [
    ['?', 'Show this list'],
    ['Ctrl+Z ⌘Z', 'Undo the last change, while it is offered'],
    ['Esc', 'Close a menu or dialog'],
  ],
  Runs: [
    ['/', 'Search'],
    ['J K', 'Next or previous run'],
    ['Enter', 'Open the run'],
    ['X', 'Select the run'],
    ['Shift+X', 'Select up to the run'],
    ['N P', 'Next or previous page'],
  ],
  'A run': [
    ['J K', 'Next or previous run of the list'],
    ['← →', 'Move along the charts, the map or the photos'],
    ['Shift+← Shift+→', 'Move in larger steps'],
    ['Home End', 'Go to the start or the end'],
    ['+ − 0', 'Zoom the map in, out, or to the whole route'],
    ['Ctrl+Enter ⌘Enter', 'Save notes'],
  ],
  Bests: [
    ['← →', 'Move along the progression'],
    ['Enter', 'Open the run'],
  ],
  Calendar: [['← →', 'Previous or next month']],
}

/** Every shortcut of the page. */
function Shortcuts({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" isWide onClose={onClose}>
      <div class="shortcuts stack gap-5">
        {Object.entries(SHORTCUTS).map(([place, shortcuts]) => (
          <section key={place}>
            <h3>{place}</h3>
            <dl class="stack above-2 small">
              {shortcuts.map(([keys, effect]) => (
                <div key={keys} class="stack baseline">
                  <dt class="flow gap-1">
                    {keys.split(' ').map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dt>
                  <dd>{effect}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}

/** Opens the form for a run without a recording; its code is loaded at the first press. */
function AddRunButton() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button kind="plain" icon="plus" aria-label="Add a run" title="Add a run" onClick={() => setOpen(true)} />
      {isOpen && <Lazy load={loadDialog} props={{ onClose: () => setOpen(false) }} waiting={failureToast} />}
    </>
  )
}

const loadDialog = () => import('../add-run.tsx').then(({ AddRunDialog }) => AddRunDialog)
