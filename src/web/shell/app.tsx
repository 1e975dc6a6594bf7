import { useEffect, useState } from 'preact/hooks'
import { keepWelcomeStep, Login, LoginDialog, welcomeStep } from '../screens/login.tsx'
import { type Session, startSession, useSession } from '../state.ts'
import { Button } from '../ui/button.tsx'
import { LazyView, Notice } from '../ui/loaded.tsx'
import { Toasts } from '../ui/toast.tsx'
import { Away } from './away.tsx'
import { followEvents } from './events.ts'
import { Logo } from './logo.tsx'
import { Shell } from './shell.tsx'

/** Titles of states without an address; views of a run or a list set their own. */
const TITLES: Readonly<Partial<Record<Session['state'], string>>> = {
  new: 'Welcome · Harrier',
  out: 'Log in · Harrier',
  unreachable: 'Harrier',
}
const loadWelcome = () => import('../screens/welcome.tsx').then(({ Welcome }) => Welcome)

/** The page; its content depends on the session. */
export function App() {
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
