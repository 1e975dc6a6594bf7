import './theme.css'
import './ui/ui.css'
import './shell/shell.css'
import './charts/charts.css'
import './import/import.css'
import { options, render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { printable } from '../base/texts.ts'
import { keepWelcomeStep, Login, LoginDialog, welcomeStep } from './screens/login.tsx'
import { Away, Logo } from './shell/away.tsx'
import { followEvents, keepPage } from './shell/events.ts'
import { Shell } from './shell/shell.tsx'
import { type Session, startSession, useSession } from './state.ts'
import { Button } from './ui/button.tsx'
import { LazyView, Notice } from './ui/loaded.tsx'
import { Toasts } from './ui/toast.tsx'

const place = document.getElementById('app')
if (place !== null) {
  showPrintable()
  render(<App />, place)
  void startSession()
  keepPage()
}

/** Titles of states without an address; views of a run or a list set their own. */
const TITLES: Readonly<Partial<Record<Session['state'], string>>> = {
  new: 'Welcome · Harrier',
  out: 'Log in · Harrier',
  unreachable: 'Harrier',
}
const loadWelcome = () => import('./screens/welcome.tsx').then(({ Welcome }) => Welcome)

/** The page; its content depends on the session. */
function App() {
  const session = useSession()
  // an address of a run shows the run even during the set-up
  const [isWelcoming, setWelcoming] = useState(() => welcomeStep() !== null && !location.pathname.startsWith('/app/'))
  const isInside = session.state === 'in'
  useEffect(() => {
    if (session.state === 'new') setWelcoming(true)
    if (session.state !== 'out') return
    setWelcoming(false)
    keepWelcomeStep(null)
  }, [session.state])
  useEffect(() => {
    const title = TITLES[session.state]
    if (title !== undefined) document.title = title
  }, [session.state])
  useEffect(() => (isInside ? followEvents() : undefined), [isInside])

  if (session.state === 'loading') return null
  if (session.state === 'unreachable') return <Away />
  if (session.state === 'failed') {
    return (
      <main class="alone">
        <Logo />
        <Notice kind="bad">{session.message}</Notice>
        <Button kind="primary" onClick={() => void startSession()}>
          Try again
        </Button>
      </main>
    )
  }
  if (session.state === 'out') return <Login />
  const isNew = session.state === 'new' || isWelcoming
  return (
    <>
      {isNew ? (
        <LazyView load={loadWelcome} props={{ isNew: session.state === 'new', onDone: () => setWelcoming(false) }} />
      ) : (
        <Shell />
      )}
      {session.state === 'expired' && <LoginDialog username={session.user.username} />}
      <Toasts />
    </>
  )
}

/** Attributes that are shown or read out; `value` is edited, and stays. */
const SHOWN = ['title', 'alt', 'placeholder', 'aria-label'] as const

/** Lets every text of the page be shown as `printable`, so that no view can forget it. */
function showPrintable(): void {
  const next = options.vnode
  options.vnode = (vnode) => {
    // the type of preact has no nodes of text, which have no type, and their text instead of properties
    const node: { readonly type: unknown; props: unknown } = vnode
    if (typeof node.props === 'string') node.props = printable(node.props)
    else if (typeof node.type === 'string') {
      const props = vnode.props as Record<string, unknown>
      for (const name of SHOWN) if (typeof props[name] === 'string') props[name] = printable(props[name])
    }
    next?.(vnode)
  }
}
