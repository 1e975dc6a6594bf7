import { useEffect, useRef, useState } from 'preact/hooks'
import { api } from '../api.ts'
import type { Units } from '../format.ts'
import { DropTarget, DropZone } from '../import/drop.tsx'
import { clearImports } from '../import/queue.ts'
import { ImportTray } from '../import/tray.tsx'
import { navigate, useRoute } from '../router.ts'
import { MapChoice } from '../run/map/map-controls.tsx'
import { Logo } from '../shell/away.tsx'
import { logIn, register, saveUnits } from '../state.ts'
import { Button } from '../ui/button.tsx'
import { Form, PasswordField, UsernameField, useFields } from '../ui/form.tsx'
import { keepWelcomeStep, welcomeStep } from './login.tsx'
import { PasswordRules, UnitsChoice, useZonesDraft, ZonesFields } from './setup-fields.tsx'

const STEPS = ['Account', 'Preferences', 'Your runs'] as const

/**
 * The set-up: account, units, zones, and import of existing runs. After a reload it continues at the same step.
 * @param props.isNew whether no account exists yet
 */
export function Welcome({ isNew, onDone }: { readonly isNew: boolean; readonly onDone: () => void }) {
  const [step, setStep] = useState(() => (isNew ? 0 : (welcomeStep() ?? 0)))
  const card = useRef<HTMLDivElement>(null)
  const isFirst = useRef(true)
  useEffect(() => {
    // the pressed button is gone, so the heading is focused for screen readers
    if (!isFirst.current) card.current?.querySelector<HTMLElement>('h1')?.focus()
    isFirst.current = false
  }, [step])
  const { path } = useRoute()
  const [start] = useState(path)
  useEffect(() => {
    // a link of the import leads to another view
    if (step !== 2 || path === start) return
    keepWelcomeStep(null)
    onDone()
  }, [path])
  const goTo = (next: number) => {
    keepWelcomeStep(next)
    setStep(next)
  }
  const finish = () => {
    keepWelcomeStep(null)
    // finished files were shown here; those in progress stay visible over Home
    clearImports()
    navigate('/app', { replace: true })
    window.scrollTo(0, 0)
    onDone()
  }
  return (
    <main class="welcome stack gap-5">
      <Logo />
      <ol class="steps level gap-5 muted small" aria-label="Steps">
        {STEPS.map((name, index) => (
          <li
            key={name}
            style={{ borderColor: index <= step ? 'var(--accent)' : '' }}
            {...(index === step ? { 'aria-current': 'step' } : {})}
          >
            {name}
          </li>
        ))}
      </ol>
      <div class="card welcome-card" ref={card}>
        {step === 0 && <AccountStep onDone={() => goTo(1)} />}
        {step === 1 && <PreferencesStep onDone={() => goTo(2)} />}
        {step === 2 && (
          <div class="form">
            <h1 tabIndex={-1}>Import your runs</h1>
            <DropZone />
            <ImportTray isInline />
            <Button kind="primary" onClick={finish}>
              Go to Home
            </Button>
          </div>
        )}
      </div>
      {step === 2 && <DropTarget />}
    </main>
  )
}

function AccountStep({ onDone }: { readonly onDone: () => void }) {
  const { values, field, form } = useFields(
    { username: '', password: '' },
    {
      send: async (account) => {
        await register(account)
        await logIn({ ...account, rememberMe: true })
        onDone()
      },
    },
  )
  return (
    <Form {...form} action="Create account" isPrimary isWide>
      <h1 tabIndex={-1}>Welcome to Harrier</h1>
      <p class="muted">Your runs stay on this machine. Choose a username and password.</p>
      <UsernameField {...field('username')} />
      <PasswordField kind="new" name="password" {...field('password')} />
      <PasswordRules {...values} />
    </Form>
  )
}

function PreferencesStep({ onDone }: { readonly onDone: () => void }) {
  const [units, setUnits] = useState<Units>(navigator.language === 'en-US' ? 'imperial' : 'metric')
  const draft = useZonesDraft(null)
  const send = async () => {
    await saveUnits(units)
    if (!draft.isBlank) await api.send('PUT', '/settings/heart-rate-zones', draft.body)
    onDone()
  }
  const isIncomplete = draft.fault !== null && !draft.isBlank
  return (
    <Form action="Continue" isPrimary isWide isIncomplete={isIncomplete} onSend={send}>
      <h1 tabIndex={-1}>Units and zones</h1>
      <div class="field">
        <span class="field-label">Units</span>
        <div>
          <UnitsChoice value={units} onValue={setUnits} />
        </div>
      </div>
      <ZonesFields draft={draft} />
      <p class="muted small">
        Zones decide how hard a run counts. Leave the age empty to set them later; you can change all of this at any
        time.
      </p>
      <MapChoice />
    </Form>
  )
}
