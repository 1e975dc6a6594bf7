import { useState } from 'preact/hooks'
import { LENGTHS } from '../../../base/texts.ts'
import { useAction } from '../../actions.ts'
import { api } from '../../api.ts'
import { useSetting } from '../../asked.ts'
import { bytes, capitalised, counted, date, dayAndTime, localDay, runDay, runName } from '../../format.ts'
import { beginKeeping, canKeep, forgetKept, isKeeping, keptNow } from '../../kept.ts'
import { Link } from '../../router.ts'
import { useMapTiles } from '../../run/map/map-controls.tsx'
import { WithdrawShare } from '../../run/share-dialog.tsx'
import { sharedWords, shownWords } from '../../share-words.ts'
import { useResource, useSession } from '../../state.ts'
import { reloadAll } from '../../store.ts'
import type { ApiKey, Arrival } from '../../types.ts'
import { Button } from '../../ui/button.tsx'
import { CopiedText } from '../../ui/copied-text.tsx'
import { Confirm, Dialog } from '../../ui/dialog.tsx'
import { Field, Form, PasswordField, Select, Switch, useFields, useSubmit } from '../../ui/form.tsx'
import { Loaded, Notice, Pending } from '../../ui/loaded.tsx'
import { toast } from '../../ui/toast.tsx'
import { Row } from '../row.tsx'
import { PasswordRules } from '../setup-fields.tsx'

/** Path of the calls for API keys. */
export const KEYS = '/auth/api-keys'

/** The last upload as a line: none yet, successful, or not a run. */
export function arrivalWords(arrival: Arrival | null): string {
  if (arrival === null) return 'Waiting for the first file'
  const received = `File received ${dayAndTime(arrival.at)}`
  return arrival.error === null ? received : `${received}, not imported: ${arrival.error}`
}

const SCOPES: readonly (readonly [scope: ApiKey['scope'], words: string])[] = [
  ['full', 'Everything'],
  ['read', 'Read only'],
  ['upload', 'Upload only'],
]

/** Whether a key still works. */
export function isValidKey({ revokedAt, expiresAt }: ApiKey): boolean {
  return revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > Date.now())
}

/** Until when a key works, and when it was used last. */
function lifeOf(key: ApiKey): string {
  const { revokedAt, expiresAt, lastUsedAt } = key
  const word = isValidKey(key) ? 'expires' : 'expired'
  const end = expiresAt !== null && revokedAt === null ? `${word} ${date(expiresAt)} · ` : ''
  return capitalised(`${end}${lastUsedAt === null ? 'never used' : `last used ${date(lastUsedAt)}`}`)
}

export function ApiKeys() {
  const { data, error } = useResource(KEYS)
  const [label, setLabel] = useState('')
  const [scope, setScope] = useState<ApiKey['scope']>('full')
  const [lastDay, setLastDay] = useState('')
  const [made, setMade] = useState<string | null>(null)
  const [revoked, setRevoked] = useState<ApiKey | null>(null)
  const { isBusy, fault, submit } = useSubmit(async () => {
    // it works until that day is over here
    const expiresAt = lastDay === '' ? null : new Date(`${lastDay}T23:59:59`).toISOString()
    const { key } = await api.send('POST', KEYS, { label, scope, expiresAt })
    setMade(key)
    setLabel('')
    setLastDay('')
  })
  const close = () => setMade(null)
  return (
    <div class="form">
      {fault !== null && <Notice kind="bad">{fault}</Notice>}
      <form class="line-form flow" onSubmit={submit}>
        <Field label="Key label" maxLength={LENGTHS.label} value={label} onText={setLabel} placeholder="Sync script" />
        <Select label="Access" value={scope} options={SCOPES} onValue={setScope} />
        <Field
          label="Last day (optional)"
          type="date"
          min={localDay(new Date().toISOString())}
          value={lastDay}
          onText={setLastDay}
        />
        <Button type="submit" icon="key" isBusy={isBusy}>
          Create key
        </Button>
      </form>
      {data === null ? (
        <Pending error={error} count={2} height="44px" />
      ) : (
        <ul class="rows">
          {data.map((key) => (
            <Row
              key={key.id}
              name={<strong>{key.label ?? 'No label'}</strong>}
              isRevoked={!isValidKey(key)}
              about={[
                <>
                  <span class="mono">{key.keyPrefix}…</span> created {date(key.createdAt)}
                  {key.revokedAt !== null && `, revoked ${date(key.revokedAt)}`}
                  {key.scope !== 'full' && ` · ${key.scope} only`}
                </>,
                lifeOf(key),
                key.lastUpload && arrivalWords(key.lastUpload),
              ]}
            >
              {isValidKey(key) && (
                <Button kind="danger" size="small" onClick={() => setRevoked(key)}>
                  Revoke
                </Button>
              )}
            </Row>
          ))}
        </ul>
      )}
      {made !== null && (
        <Dialog title="Your new key" onClose={close}>
          <p>Copy it now. Harrier can’t show it again.</p>
          <CopiedText id="new-key" value={made}>
            <Button kind="primary" onClick={close}>
              Done
            </Button>
          </CopiedText>
        </Dialog>
      )}
      {revoked !== null && (
        <Confirm
          title={`Revoke ${revoked.label ?? revoked.keyPrefix}?`}
          action="Revoke"
          onConfirm={() => api.send('DELETE', `${KEYS}/${revoked.id}`)}
          onClose={() => setRevoked(null)}
        >
          <p class="muted">Programs that use it lose access immediately. This can’t be undone.</p>
        </Confirm>
      )}
    </div>
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
    <div class="form">
      <Form {...form} action="Change password">
        {/* for the browser, which keeps passwords by name */}
        <input name="username" autocomplete="username" value={username} readOnly hidden />
        <PasswordField label="Current password" kind="current" {...field('currentPassword')} />
        <PasswordField label="New password" kind="new" {...field('newPassword')} />
        {values.newPassword !== '' && <PasswordRules password={values.newPassword} username={username} />}
      </Form>
      <Form action="Log out other devices" onSend={logOutOthers}>
        <p class="muted small">Logs out every other browser, for example after you lost a phone.</p>
      </Form>
    </div>
  )
}

/** What leaves this machine, or stays on this device. */
export function PrivacySettings() {
  const { data, save } = useSetting('/settings/weather')
  const isAvailable = data?.available !== false
  const tiles = useMapTiles()
  return (
    <div class="form">
      <div id="weather">
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
      </div>
      <Switch label="Street map behind routes" isOn={tiles.isOn} onTurn={(wanted) => void tiles.turn(wanted)}>
        Harrier loads map tiles from OpenStreetMap, or the server set up instead, and keeps them for a week or longer.
        That server only sees which area you look at. If off, routes have a plain background.
      </Switch>
      <KeepSetting />
      <CalendarFeed />
      <SharedRuns />
    </div>
  )
}

const FEED = '/settings/calendar-feed'

/** The address at which calendar apps read runs, races and goals; it is shown once, as a key is. */
function CalendarFeed() {
  const createdAt = useResource(FEED).data?.createdAt ?? null
  const { isBusy, act } = useAction()
  const [made, setMade] = useState<{ readonly path: string; readonly createdAt: string } | null>(null)
  const [isAsked, setAsked] = useState(false)
  const make = async () => setMade(await api.send('POST', FEED))
  return (
    <div id="calendar">
      <Row
        isAlone
        name={<strong>Calendar feed</strong>}
        about={[
          'Your runs, races and goals in a calendar app. Anyone who knows the address can read names, times and distances, but no maps, notes or names of hidden places.',
          createdAt !== null && `Address created ${date(createdAt)}`,
        ]}
      >
        {createdAt === null ? (
          <Button size="small" icon="key" isBusy={isBusy} onClick={() => void act(make)}>
            Create address
          </Button>
        ) : (
          <Button kind="danger" size="small" onClick={() => setAsked(true)}>
            Withdraw
          </Button>
        )}
      </Row>
      {made !== null && made.createdAt === createdAt && (
        <div class="form">
          <CopiedText id="feed-address" value={location.origin + made.path} />
          <p class="muted small">
            Copy it now: Harrier can’t show it again. In your calendar app, subscribe to it as a calendar from a URL.
          </p>
        </div>
      )}
      {isAsked && (
        <Confirm
          title="Withdraw the calendar address?"
          action="Withdraw"
          onConfirm={() => api.send('DELETE', FEED)}
          onClose={() => setAsked(false)}
        >
          <p class="muted">Calendars that use it stop updating. You can create a new address afterwards.</p>
        </Confirm>
      )}
    </div>
  )
}

/** The runs that others can see, each by its address. */
function SharedRuns() {
  const shares = useResource('/shares')
  const [withdrawn, setWithdrawn] = useState<string | null>(null)
  return (
    <div id="shared">
      <strong>Shared runs</strong>
      <Loaded of={shares} height="44px">
        {(all) =>
          all.length === 0 ? (
            <p class="muted small">None. To share a run, choose Share from its menu.</p>
          ) : (
            <ul class="rows">
              {all.map((share) => (
                <Row
                  key={share.workoutId}
                  name={
                    <Link href={`/app/runs/${share.workoutId}`}>
                      {runName(share)}, {runDay(share)}
                    </Link>
                  }
                  about={[sharedWords(share), shownWords(share.show)]}
                >
                  <Button kind="danger" size="small" onClick={() => setWithdrawn(share.workoutId)}>
                    Withdraw
                  </Button>
                </Row>
              ))}
            </ul>
          )
        }
      </Loaded>
      {withdrawn !== null && <WithdrawShare workoutId={withdrawn} onClose={() => setWithdrawn(null)} />}
    </div>
  )
}

/** The switch for reading while Harrier is away, with what it leaves on this device. */
function KeepSetting() {
  const session = useSession()
  const [isOn, setOn] = useState(isKeeping)
  const kept = isOn ? keptNow() : null
  const size = kept !== null && kept.bytes > 0 ? ` Now: ${counted(kept.runs, 'run')}, ${bytes(kept.bytes)}.` : ''
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
