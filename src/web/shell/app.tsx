import { useEffect, useState } from 'preact/hooks'
import { Login, LoginDialog } from '../screens/login.tsx'
import { startSession, useSession } from '../state.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/empty.tsx'
import { Toasts } from '../ui/toast.tsx'
import { Away } from './away.tsx'
import { followEvents } from './events.ts'
import { Later } from './later.tsx'
import { Logo } from './logo.tsx'
import { Shell } from './shell.tsx'

const welcome = () => import('../screens/welcome.tsx').then(({ Welcome }) => Welcome)

/** The page: who is there decides what is shown. */
export function App() {
  const session = useSession()
  const [isWelcoming, setWelcoming] = useState(false)
  const isInside = session.state === 'in'
  useEffect(() => {
    if (session.state === 'new') setWelcoming(true)
    if (session.state === 'out') setWelcoming(false)
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
      {isNew ? <Later load={welcome} props={{ onDone: () => setWelcoming(false) }} /> : <Shell />}
      {session.state === 'expired' && <LoginDialog username={session.user.username} />}
      <Toasts />
    </>
  )
}
