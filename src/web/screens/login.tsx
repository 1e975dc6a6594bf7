import { Logo } from '../shell/away.tsx'
import { logIn, logOut } from '../state.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Check, Form, PasswordField, UsernameField, useFields } from '../ui/form.tsx'
import { Notice } from '../ui/loaded.tsx'

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
  const { values, field, set, form } = useFields({ username: known, password: '', rememberMe: true }, { send: logIn })
  return (
    <Form {...form} action="Log in" isPrimary isWide>
      <UsernameField {...field('username')} />
      <PasswordField kind="current" name="password" autofocus={known !== ''} {...field('password')} />
      <Check checked={values.rememberMe} onValue={(rememberMe) => set({ rememberMe })}>
        Stay logged in on this device
      </Check>
    </Form>
  )
}

const STEP_KEY = 'harrier.welcome'
const LAST_STEP = 2

/** The current step of the set-up in this browser; null: none. */
export function welcomeStep(): number | null {
  const stored = Number(localStorage.getItem(STEP_KEY) ?? Number.NaN)
  return Number.isInteger(stored) && stored > 0 && stored <= LAST_STEP ? stored : null
}

/** @param step null: the set-up is complete */
export function keepWelcomeStep(step: number | null): void {
  if (step === null) localStorage.removeItem(STEP_KEY)
  else localStorage.setItem(STEP_KEY, String(step))
}
