import { useEffect, useRef } from 'preact/hooks'
import { AddRunButton } from '../add-run/add-run-button.tsx'
import { DropTarget } from '../import/drop-target.tsx'
import { ImportButton } from '../import/import-button.tsx'
import { ImportTray } from '../import/import-tray.tsx'
import { Link, navigate, useRoute } from '../router.ts'
import { Dashboard } from '../screens/dashboard.tsx'
import { Runs } from '../screens/runs.tsx'
import { Shoes } from '../screens/shoes.tsx'
import { logOut, useSession, useTheme } from '../state.ts'
import { Empty } from '../ui/empty.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'
import { fetchPart } from '../ui/part.ts'
import { toast } from '../ui/toast.tsx'
import { LazyView } from './lazy-view.tsx'
import { Logo } from './logo.tsx'
import { useWatchNews } from './watch-news.ts'

interface Place {
  readonly path: string
  readonly text: string
  readonly icon: IconName
}

const SETTINGS = '/app/settings'

const PLACES: readonly Place[] = [
  { path: '/app', text: 'Dashboard', icon: 'dashboard' },
  { path: '/app/runs', text: 'Runs', icon: 'runs' },
  { path: '/app/training', text: 'Training', icon: 'training' },
  { path: '/app/shoes', text: 'Shoes', icon: 'shoes' },
  { path: SETTINGS, text: 'Settings', icon: 'settings' },
]

const LOGIN = '/app/login'
const RUN_PATH = /^\/app\/runs\/([^/]+)$/
const RECEIPT_PATH = /^\/app\/receipts\/([^/]+)$/
/** Titles of views within the settings that have their own addresses. */
const OTHERS: Readonly<Record<string, string>> = { '/app/history': 'History', '/app/trash': 'Trash' }

/** Navigation, the current view, and imports. */
export function Shell() {
  const route = useRoute()
  // target of a share without a session
  const path = route.path === LOGIN ? PLACES[0]!.path : route.path
  useEffect(() => {
    const { query } = route
    if (route.path !== LOGIN && !query.has('shared')) return
    navigate(path, { replace: true })
    if (query.has('shared')) void import('../import/shared.ts').then(({ tellShared }) => tellShared(query))
  }, [])
  const main = useRef<HTMLElement>(null)
  const views = useRef(0)
  const hasWatchNews = useWatchNews()
  /** Focuses the heading, so that screen readers announce the view; the browser announces the first one. */
  const focusHeading = () => main.current?.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
  useEffect(() => {
    document.title = `${titleOf(path)} · Harrier`
    if (views.current > 0) focusHeading()
    views.current += 1
  }, [path])
  return (
    <div class="shell">
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="topbar">
        <Link href="/app" class="home" aria-label="Harrier, dashboard">
          <Logo isSmall />
        </Link>
        <nav aria-label="Main">
          {PLACES.map((place) => (
            <NavLink key={place.path} {...place} current={path} isNews={hasWatchNews && place.path === SETTINGS} />
          ))}
        </nav>
        <div class="topbar-end">
          <AddRunButton />
          <ImportButton />
          <AccountMenu />
        </div>
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        <View path={path} onShown={() => views.current > 1 && focusHeading()} />
      </main>
      <DropTarget />
      <ImportTray />
    </div>
  )
}

/** A run sets its own title when it is loaded. */
function titleOf(path: string): string {
  if (RUN_PATH.test(path)) return 'Run'
  if (RECEIPT_PATH.test(path)) return 'History'
  return PLACES.find((place) => place.path === path)?.text ?? OTHERS[path] ?? 'Not found'
}

interface NavLinkProps extends Place {
  readonly current: string
  /** Whether there is news in this view. */
  readonly isNews: boolean
}

function NavLink({ path, text, icon, current, isNews }: NavLinkProps) {
  const isHere = path === '/app' ? current === path : current.startsWith(path)
  return (
    <Link href={path} class="nav-link" {...(isHere ? { 'aria-current': 'page' as const } : {})}>
      <Icon name={icon} />
      <span>{text}</span>
      {isNews && (
        <span class="news">
          <span class="hidden-text">: files of the watch folder could not be read</span>
        </span>
      )}
    </Link>
  )
}

function AccountMenu() {
  const session = useSession()
  const { theme, setTheme } = useTheme()
  const username = 'user' in session ? session.user.username : ''
  const isDark = theme === 'dark' || (theme === 'system' && window.matchMedia('(prefers-color-scheme: dark)').matches)
  return (
    <Menu
      label={`Account of ${username}`}
      buttonClass="account"
      items={[
        {
          text: isDark ? 'Light theme' : 'Dark theme',
          icon: isDark ? 'sun' : 'moon',
          onChoose: () => setTheme(isDark ? 'light' : 'dark'),
        },
        { text: 'Settings', icon: 'settings', onChoose: () => navigate('/app/settings') },
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
  const id = RUN_PATH.exec(path)?.[1]
  if (id !== undefined) return <LazyView load={loadRun} props={{ id }} onShown={onShown} key={id} />
  if (path === '/app') return <Dashboard />
  if (path === '/app/runs') return <Runs />
  if (path === '/app/training') return <LazyView load={loadTraining} props={{}} onShown={onShown} key={path} />
  if (path === '/app/shoes') return <Shoes />
  const receiptId = RECEIPT_PATH.exec(path)?.[1]
  if (receiptId !== undefined) {
    return <LazyView load={loadReceipt} props={{ id: receiptId }} onShown={onShown} key={receiptId} />
  }
  if (path === '/app/history') return <LazyView load={loadHistory} props={{}} onShown={onShown} key={path} />
  if (path === '/app/trash') return <LazyView load={loadTrash} props={{}} onShown={onShown} key={path} />
  if (path === '/app/settings') return <LazyView load={loadSettings} props={{}} onShown={onShown} key={path} />
  return (
    <div class="page">
      <Empty
        icon="search"
        title="There is nothing at this address"
        isView
        action={
          <Link href="/app" class="button">
            To the dashboard
          </Link>
        }
      />
    </div>
  )
}

/** The page of a run is loaded together with the charts, which no other view needs. */
const loadRun = () => fetchPart('run-page', () => import('../run/run-page.tsx')).then(({ RunPage }) => RunPage)
const loadTraining = () =>
  fetchPart('training', () => import('../screens/training/training.tsx')).then(({ Training }) => Training)
const loadHistory = () =>
  fetchPart('history', () => import('../screens/history/history.tsx')).then(({ History }) => History)
const loadReceipt = () =>
  fetchPart('receipt-view', () => import('../screens/history/receipt-view.tsx')).then(({ ReceiptView }) => ReceiptView)
const loadTrash = () => fetchPart('trash', () => import('../screens/history/trash.tsx')).then(({ Trash }) => Trash)
const loadSettings = () =>
  fetchPart('settings', () => import('../screens/settings.tsx')).then(({ Settings }) => Settings)
