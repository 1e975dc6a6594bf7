import { useState } from 'preact/hooks'
import { LENGTHS } from '../../texts.ts'
import { Logo } from '../shell/logo.tsx'
import { logIn, logOut } from '../state.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/empty.tsx'
import { Check, Field } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { PasswordField } from '../ui/password-field.tsx'

/** The view without a session. */
export function Login() {
  return (
    <main class="alone">
      <Logo />
      <div class="card login">
        <h1 tabIndex={-1}>Log in</h1>
        {location.search === '?then=share' && <Notice>Log in, then share again.</Notice>}
        <LoginForm username="" />
      </div>
    </main>
  )
}

/** Opens over the view when the session has expired; what was typed below stays and is sent afterwards. */
export function LoginDialog({ username }: { readonly username: string }) {
  return (
    <Dialog title="Your login has expired" onClose={null}>
      <p class="muted">Nothing is lost. Log in again to continue where you were.</p>
      <LoginForm username={username} />
      <Button kind="quiet" onClick={() => void logOut()}>
        Log out instead
      </Button>
    </Dialog>
  )
}

function LoginForm({ username: known }: { readonly username: string }) {
  const [username, setUsername] = useState(known)
  const [password, setPassword] = useState('')
  const [isRemembered, setRemembered] = useState(true)
  return (
    <Form action="Log in" isPrimary isWide onSend={() => logIn(username, password, isRemembered)}>
      <Field
        label="Username"
        name="username"
        autocomplete="username"
        required
        isVerbatim
        value={username}
        onText={setUsername}
        maxLength={LENGTHS.username}
      />
      <PasswordField kind="current" name="password" autofocus={known !== ''} value={password} onText={setPassword} />
      <Check checked={isRemembered} onValue={setRemembered}>
        Stay logged in on this device
      </Check>
    </Form>
  )
}
