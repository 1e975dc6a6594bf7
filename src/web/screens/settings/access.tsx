import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { LENGTHS } from '../../../base/texts.ts'
import { api } from '../../api.ts'
import { useSetting } from '../../asked.ts'
import { bytes, counted, date, localDay } from '../../format.ts'
import { beginKeeping, canKeep, forgetKept, isKeeping, keptNow } from '../../kept.ts'
import { useMapTiles } from '../../run/map/map-controls.tsx'
import { useResource, useSession } from '../../state.ts'
import { reloadAll } from '../../store.ts'
import type { ApiKey, Arrival } from '../../types.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm, Dialog } from '../../ui/dialog.tsx'
import { Field, Form, PasswordField, Select, Switch, useFields, useSubmit } from '../../ui/form.tsx'
import { Notice, Pending } from '../../ui/loaded.tsx'
import { toast } from '../../ui/toast.tsx'
import { PasswordRules } from '../setup-fields.tsx'

/** Path of the calls for API keys. */
export const KEYS = '/auth/api-keys'

/** The last upload as a line: none yet, successful, or not a run. */
export function arrivalWords(arrival: Arrival | null): string {
  if (arrival === null) return 'Waiting for the first file'
  const { at, error } = arrival
  const when =
    localDay(at) === localDay(new Date().toISOString()) ? `at ${date(at, 'time')}` : `on ${date(at, 'short')}`
  return error === null ? `File received ${when}` : `File received ${when}, not imported: ${error}`
}

type Scope = ApiKey['scope']

const SCOPES: readonly (readonly [scope: Scope, words: string])[] = [
  ['full', 'Everything'],
  ['read', 'Read only'],
  ['upload', 'Upload only'],
]
const SCOPE_WORDS: Readonly<Record<Scope, string>> = { full: '', read: ' · read only', upload: ' · upload only' }

export function ApiKeys() {
  const { data, error } = useResource(KEYS)
  const [label, setLabel] = useState('')
  const [scope, setScope] = useState<Scope>('full')
  const [made, setMade] = useState<string | null>(null)
  const [revoked, setRevoked] = useState<ApiKey | null>(null)
  const { isBusy, fault, submit } = useSubmit(async () => {
    const { key } = await api.send('POST', KEYS, { label, scope })
    setMade(key)
    setLabel('')
  })
  return (
    <div class="form">
      {fault !== null && <Notice kind="bad">{fault}</Notice>}
      <form class="line-form" onSubmit={submit}>
        <Field label="Key label" maxLength={LENGTHS.label} value={label} onText={setLabel} placeholder="Sync script" />
        <Select label="Access" value={scope} options={SCOPES} onValue={setScope} />
        <Button type="submit" icon="key" isBusy={isBusy}>
          Create key
        </Button>
      </form>
      {data === null ? (
        <Pending error={error} count={2} height="44px" />
      ) : (
        <ul class="rows">
          {data.map((key) => (
            <li class={key.revokedAt === null ? 'row' : 'row revoked'} key={key.id}>
              <span class="key-text">
                <strong>{key.label ?? 'No label'}</strong>
                <span class="muted small">
                  <span class="mono">{key.keyPrefix}…</span> created {date(key.createdAt)}
                  {key.revokedAt !== null && `, revoked ${date(key.revokedAt)}`}
                  {SCOPE_WORDS[key.scope]}
                </span>
                {key.lastUpload !== null && <span class="muted small">{arrivalWords(key.lastUpload)}</span>}
              </span>
              {key.revokedAt === null && (
                <Button kind="danger" size="small" onClick={() => setRevoked(key)}>
                  Revoke
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {made !== null && <NewKey value={made} onClose={() => setMade(null)} />}
      {revoked !== null && <Revoke apiKey={revoked} onClose={() => setRevoked(null)} />}
    </div>
  )
}

function NewKey({ value, onClose }: { readonly value: string; readonly onClose: () => void }) {
  return (
    <Dialog title="Your new key" onClose={onClose}>
      <p>Copy it now. Harrier can’t show it again.</p>
      <CopiedText id="new-key" value={value}>
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </CopiedText>
    </Dialog>
  )
}

function Revoke({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) {
  return (
    <Confirm
      title={`Revoke ${apiKey.label ?? apiKey.keyPrefix}?`}
      action="Revoke"
      onConfirm={() => api.send('DELETE', `${KEYS}/${apiKey.id}`)}
      onClose={onClose}
    >
      <p class="muted">Programs that use it lose access immediately. This can’t be undone.</p>
    </Confirm>
  )
}

interface CopiedTextProps {
  /** Id of the element. */
  readonly id: string
  readonly value: string
  /** Name of the text for the button. */
  readonly what?: string
  /** Further buttons. */
  readonly children?: ComponentChildren
}

/** A secret that can be copied. */
export function CopiedText({ id, value, what = '', children }: CopiedTextProps) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value)
      setCopied(true)
    } catch {
      // without https there is no clipboard access, so the text is selected for copying by hand
      const element = document.getElementById(id)
      if (element !== null) getSelection()?.selectAllChildren(element)
    }
  }
  return (
    <>
      <code class="new-key" id={id}>
        {value}
      </code>
      <div class={children === undefined ? 'actions start' : 'actions'}>
        <Button icon={isCopied ? 'check' : 'copy'} onClick={() => void copy()}>
          {isCopied ? 'Copied' : `Copy ${what}`.trim()}
        </Button>
        {children}
      </div>
    </>
  )
}

const EMPTY = { currentPassword: '', newPassword: '' }

/** Another password, and the other devices. */
export function PasswordForm() {
  const session = useSession()
  const username = 'user' in session ? session.user.username : ''
  const { values, field, set, form } = useFields(EMPTY, {
    send: async (body) => {
      await api.send('POST', '/auth/change-password', body)
      set(EMPTY)
      toast('Password changed')
    },
  })
  const logOutOthers = async () => {
    await api.send('POST', '/auth/logout-others')
    toast('Other devices logged out')
  }
  return (
    <>
      <Form {...form} action="Change password">
        <input
          class="hidden-text"
          name="username"
          autocomplete="username"
          value={username}
          readOnly
          tabIndex={-1}
          aria-hidden="true"
        />
        <PasswordField label="Current password" kind="current" {...field('currentPassword')} />
        <PasswordField label="New password" kind="new" {...field('newPassword')} />
        {values.newPassword !== '' && <PasswordRules password={values.newPassword} username={username} />}
      </Form>
      <div class="above-4">
        <Form action="Log out other devices" onSend={logOutOthers}>
          <p class="muted small">Logs out every other browser, for example after you lost a phone.</p>
        </Form>
      </div>
    </>
  )
}

/** What leaves this machine, or stays on this device. */
export function PrivacySettings() {
  return (
    <div class="stack gap-4">
      <div id="weather">
        <WeatherSetting />
      </div>
      <MapSetting />
      <KeepSetting />
    </div>
  )
}

/** The switch for weather lookups, with their effect on privacy. */
function WeatherSetting() {
  const { data, save } = useSetting('/settings/weather')
  const isAvailable = data?.available !== false
  return (
    <Switch
      label="Weather for runs"
      isOn={isAvailable && data?.lookups === true}
      isFixed={!isAvailable}
      onTurn={(lookups) => void save({ lookups })}
    >
      {isAvailable
        ? 'Harrier gets the weather of new runs from Open-Meteo. It only sees the date and the start, rounded to about ten kilometres. If off, new runs have no weather.'
        : 'Weather is off on this server.'}
    </Switch>
  )
}

/** The switch for map tiles, with its effect on privacy. */
function MapSetting() {
  const { isOn, turn } = useMapTiles()
  return (
    <Switch label="Street map behind routes" isOn={isOn} onTurn={(wanted) => void turn(wanted)}>
      Harrier loads map tiles from OpenStreetMap, or the server set up instead, and keeps them for a week or longer.
      That server only sees which area you look at. If off, routes have a plain background.
    </Switch>
  )
}

/** The switch for reading while Harrier is away, with what it leaves on this device. */
function KeepSetting() {
  const session = useSession()
  const [isOn, setOn] = useState(isKeeping)
  const [size, setSize] = useState('')
  useEffect(() => {
    if (!isOn) return setSize('')
    const kept = keptNow()
    if (kept !== null && kept.bytes > 0) setSize(` Now: ${counted(kept.runs, 'run')}, ${bytes(kept.bytes)}.`)
  }, [isOn])
  const turn = async (wanted: boolean) => {
    setOn(wanted)
    if (!wanted) await forgetKept()
    else if ('user' in session) {
      beginKeeping(session.user.userId)
      // what is loaded already is loaded once more, and then kept
      reloadAll()
      await api.get('/auth/me')
    }
  }
  return (
    <Switch label="Keep on this device" isOn={isOn} isFixed={!canKeep()} onTurn={(wanted) => void turn(wanted)}>
      {canKeep()
        ? `Home, the list and the last 50 runs you open stay readable when Harrier can’t be reached. They take up to 20 MB in this browser, without photos, original files, settings or keys. Logging out or turning this off deletes them.${size}`
        : 'Reading offline needs https: browsers keep nothing over plain http.'}
    </Switch>
  )
}
