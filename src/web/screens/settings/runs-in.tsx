import { useEffect, useState } from 'preact/hooks'
import type { WatchFilesAnswer, WatchFolderAnswer } from '../../../imports/watch/status.ts'
import { RESTORE_INSTEAD, restoreInstead, useAction } from '../../actions.ts'
import { api } from '../../api.ts'
import { noteWatchSeen, WATCH_FOLDER } from '../../asked.ts'
import { counted, date, dayAndTime, listed } from '../../format.ts'
import { Link } from '../../router.ts'
import { useResource } from '../../state.ts'
import type { Answer } from '../../types.ts'
import { Button } from '../../ui/button.tsx'
import { CopiedText } from '../../ui/copied-text.tsx'
import { Field, Form, Segments, Select, useSubmit } from '../../ui/form.tsx'
import { Notice, Pending } from '../../ui/loaded.tsx'
import { toast } from '../../ui/toast.tsx'
import { Row } from '../row.tsx'
import { arrivalWords, isValidKey, KEYS } from './access.tsx'
import { QrCode } from './qr-code.tsx'

/** Apps that send runs to an address, each with what to set there; the steps are in docs/operations.md. */
const APPS = {
  'iPhone Shortcut': 'Shortcuts: “Get Contents of URL” with the address, method POST, body Form, a field “file”.',
  'Health Auto Export': 'A REST API automation: the address as URL, method POST, workouts as JSON, version 2.',
  FitoTrack: 'Automatic export of workouts as GPX, target HTTP POST, with the address.',
  'OpenTracks, Gadgetbridge':
    'An automation app (Tasker, MacroDroid) sends each new file as an HTTP POST to the address.',
  'Another app': 'Anything that sends a file works, such as curl -T run.gpx <address>/run.gpx.',
} as const
type App = keyof typeof APPS
const APP_NAMES = (Object.keys(APPS) as App[]).map((app) => [app, app] as const)

const ONLY_HERE = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Ways for a phone to send runs automatically: an address that contains an upload-only key, and the share sheet. */
export function Phone() {
  const { data, error } = useResource(KEYS)
  const share = useResource('/share')
  const [app, setApp] = useState<App>('iPhone Shortcut')
  const [made, setMade] = useState<{ readonly id: string; readonly address: string; readonly app: App } | null>(null)
  const { isBusy, fault, submit } = useSubmit(async () => {
    const { id, key } = await api.send('POST', KEYS, { label: app, scope: 'upload' })
    setMade({ id, address: `${location.origin}/in/${key}`, app })
  })
  if (data === null) return <Pending error={error} count={3} height="57px" />
  const addresses = data.filter((key) => key.scope === 'upload' && isValidKey(key))
  const arrival = addresses.find(({ id }) => id === made?.id)?.lastUpload ?? null
  const canInstall = window.isSecureContext && 'serviceWorker' in navigator
  const lastShare = share.data?.lastShare ?? null
  return (
    <div class="form">
      {ONLY_HERE.test(location.hostname) && (
        <Notice>
          You opened Harrier as {location.host}, which a phone can’t reach. Open it by this machine’s name or address in
          your network, and create the addresses there.
        </Notice>
      )}
      {fault !== null && <Notice kind="bad">{fault}</Notice>}
      <form class="line-form flow" onSubmit={submit}>
        <Select label="App" value={app} options={APP_NAMES} onValue={setApp} />
        <Button type="submit" icon="key" isBusy={isBusy}>
          Create address
        </Button>
      </form>
      <p class="muted small">{APPS[app]} Step by step: “On a phone” in docs/operations.md.</p>
      {made !== null && (
        <>
          <div class="way-address flow gap-4">
            <QrCode text={made.address} label={`Address for ${made.app} as a QR code`} />
            <div class="form">
              <CopiedText id={made.id} value={made.address} />
              <p class="muted small">
                Shown only once. Anyone who knows it can send runs to your log, nothing else. You can revoke it under
                API keys.
              </p>
            </div>
          </div>
          {/* it stays during the set-up, and is announced */}
          <div role="status">
            <Notice icon={arrival === null ? 'clock' : arrival.error === null ? 'check' : 'warning'}>
              {arrivalWords(arrival)}
            </Notice>
          </div>
        </>
      )}
      <ul class="rows" aria-label="Phones">
        {addresses
          .filter(({ id }) => id !== made?.id)
          .map(({ id, label, createdAt, lastUpload }) => (
            <Row
              key={id}
              name={<strong>{label ?? 'No label'}</strong>}
              about={[lastUpload ? arrivalWords(lastUpload) : `Address of ${date(createdAt)}, nothing received yet`]}
            />
          ))}
        <Row
          name={<strong>Android share sheet</strong>}
          about={[
            lastShare !== null
              ? arrivalWords(lastShare)
              : canInstall
                ? 'Install this page on the phone (Add to home screen), then share a run to Harrier.'
                : 'Needs https: browsers only install pages served over it. A reverse proxy adds it.',
          ]}
        />
      </ul>
    </div>
  )
}

/** Watched folders: their state, and the outcomes of their files. */
export function WatchFolderSettings() {
  const { data, error } = useResource(WATCH_FOLDER)
  const lastErrorAt = data?.lastErrorAt ?? null
  useEffect(() => {
    if (lastErrorAt !== null) noteWatchSeen(lastErrorAt)
  }, [lastErrorAt])
  if (data === null) return <Pending error={error} count={3} height="24px" />
  return data.enabled ? <Folders {...data} /> : <HowTo />
}

function Folders({ folders, lastLookAt, nextLookAt, counts }: WatchFolderAnswer) {
  const { isBusy, act } = useAction()
  const look = () => act(() => api.send('POST', `${WATCH_FOLDER}/look`))
  const last = lastLookAt === null ? 'Not checked yet' : `Last check ${dayAndTime(lastLookAt)}`
  return (
    <div class="form">
      <ul class="rows">
        {folders.map(({ path, state, since }) => (
          <Row
            key={path}
            name={<strong class="mono">{path}</strong>}
            about={[
              state === 'watching'
                ? 'Watching'
                : `Can’t be ${state === 'unreadable' ? 'read' : 'reached'} since ${dayAndTime(since)}`,
            ]}
          />
        ))}
      </ul>
      {folders.map((folder) => folderFault(folder) && <Notice kind="bad">{folderFault(folder)}</Notice>)}
      <Row
        isAlone
        name={<span>{countsText(counts)}</span>}
        about={[nextLookAt === null ? last : `${last}, next ${dayAndTime(nextLookAt)}`]}
      >
        <Button icon="search" isBusy={isBusy} onClick={() => void look()}>
          Check now
        </Button>
      </Row>
      <WatchFiles counts={counts} />
    </div>
  )
}

/** What keeps Harrier from a folder; null: nothing. */
function folderFault({ path, state, unreadableFolders }: WatchFolderAnswer['folders'][number]): string | null {
  if (state === 'unreadable') {
    return `Harrier doesn’t have permission to read ${path}. In a container it runs as user 1000, who needs read access to the folder and everything in it.`
  }
  if (state === 'unreachable') {
    return `Can’t reach ${path}. Is it mounted? Nothing is lost; Harrier continues as soon as it’s back.`
  }
  if (unreadableFolders.length === 0) return null
  return `Harrier doesn’t have permission to read these subfolders: ${unreadableFolders.join(', ')}`
}

/** Configuration that the operator must set. */
function HowTo() {
  return (
    <div class="prose stack">
      <p>
        A file in the folder appears here a minute later: from Syncthing, Nextcloud, a NAS share or another program.
        Harrier never changes the folder. Add two lines to compose.yaml and restart:
      </p>
      <pre class="new-key small breaks">
        {'volumes:\n  - /path/to/your/runs:/import:ro\nenvironment:\n  WATCH_DIR: /import'}
      </pre>
      <p class="muted small">Without a container, set WATCH_DIR to the folder itself.</p>
    </div>
  )
}

function countsText(counts: WatchFolderAnswer['counts']): string {
  const said = listed([
    [counts.created, 'added'],
    [counts.updated + counts.merged, 'updated'],
    [counts.skipped, counts.skipped === 1 ? 'duplicate' : 'duplicates'],
    [counts.ignored, 'skipped (not runs)'],
    [counts.errors, 'failed'],
    [counts.waiting, 'waiting'],
  ])
  return said || 'No files yet'
}

type File = WatchFilesAnswer['items'][number]
type Shown = 'error' | 'waiting' | 'all'

/** The most files that one answer contains. */
const MOST = 100
const FIRST = 10

const WORDS: Readonly<Record<File['outcome'], string>> = {
  created: 'Added',
  updated: 'Added to a run',
  merged: 'Merged with a run',
  skipped: 'Duplicate',
  ignored: 'No run found',
  error: 'Couldn’t be read',
  waiting: 'Waiting',
}

/** The files of the watch folder; those with problems first. */
function WatchFiles({ counts }: { readonly counts: WatchFolderAnswer['counts'] }) {
  const [chosen, setChosen] = useState<Shown | null>(null)
  const [pageSize, setPageSize] = useState(FIRST)
  const shown = chosen ?? (counts.errors > 0 ? 'error' : counts.waiting > 0 ? 'waiting' : 'all')
  const filter = shown === 'all' ? '' : `&outcome=${shown}`
  const { data, error } = useResource(`${WATCH_FOLDER}/files?pageSize=${pageSize}${filter}`)
  if (Object.values(counts).every((count) => count === 0)) return null
  return (
    <div class="form">
      <div class="row flow spread">
        <span>Files</span>
        <Segments<Shown>
          legend="Files"
          value={shown}
          options={[
            ['error', 'Errors'],
            ['waiting', 'Waiting'],
            ['all', 'All'],
          ]}
          onValue={setChosen}
        />
      </div>
      {data === null ? (
        <Pending error={error} count={3} height="44px" />
      ) : data.items.length === 0 ? (
        <p class="muted small">{shown === 'error' ? 'No files with errors.' : 'No files waiting.'}</p>
      ) : (
        <ul class="rows" aria-label="Files in the watch folder">
          {data.items.map((file) => (
            <FileRow key={file.id} file={file} />
          ))}
        </ul>
      )}
      {data !== null && data.totalCount > data.items.length && pageSize < MOST && (
        <div class="actions start">
          <Button kind="quiet" size="small" onClick={() => setPageSize(MOST)}>
            Show more
          </Button>
        </div>
      )}
    </div>
  )
}

function FileRow({ file }: { readonly file: File }) {
  const { isBusy, act } = useAction()
  const [runId] = file.workoutIds
  const importAgain = () =>
    act(async () => {
      const made = await api.send('POST', `${WATCH_FOLDER}/files/${file.id}/import`)
      if (!('trashedId' in made) || made.trashedId === undefined) return toast('Imported again')
      const { id, trashedId } = made
      toast('Imported again', { label: RESTORE_INSTEAD, run: () => void restoreInstead(id, trashedId) })
    })
  return (
    <Row
      name={<strong>{runId === undefined ? file.name : <Link href={`/app/runs/${runId}`}>{file.name}</Link>}</strong>}
      about={[aboutFile(file)]}
    >
      {(file.isDeleted || file.outcome === 'error' || file.failingSince !== null) && (
        <Button
          size="small"
          isBusy={isBusy}
          onClick={() => void importAgain()}
          aria-label={`Import ${file.name} again`}
        >
          {file.isDeleted ? 'Import again' : 'Try again'}
        </Button>
      )}
    </Row>
  )
}

function aboutFile({ outcome, reason, isDeleted, failingSince, lookedAt }: File): string {
  if (failingSince !== null) return `${reason ?? 'Can’t be read'}, since ${date(failingSince)}; retrying`
  if (outcome === 'waiting') return 'Waiting until the file is complete'
  if (outcome === 'error') return reason ?? WORDS.error
  const words = isDeleted && outcome !== 'skipped' ? `${WORDS[outcome]}, deleted later` : WORDS[outcome]
  return `${reason ?? words} · ${date(lookedAt)}`
}

type Account = Answer<'/settings/sync'>['intervalsIcu']

const SINCE = [
  ['month', 'The last 30 days'],
  ['all', 'All runs'],
] as const

/** The connection to intervals.icu: its state, a round now, or how to connect. */
export function SyncSetting() {
  const { data, error } = useResource('/settings/sync')
  if (data === null) return <Pending error={error} count={3} height="24px" />
  const { intervalsIcu } = data
  return intervalsIcu.connected ? <Connected account={intervalsIcu} /> : <Connect />
}

function Connected({ account }: { readonly account: Account }) {
  const { isBusy, act } = useAction()
  const run = async () => {
    const { created, message } = await api.send('POST', '/settings/sync/intervals-icu/run')
    toast(message ?? (created === 0 ? 'Nothing new' : `${counted(created, 'run')} added`))
  }
  const leave = async () => {
    await api.send('DELETE', '/settings/sync/intervals-icu')
    toast('Disconnected. The runs stay.')
  }
  const { athlete, name, keyEnding, lastRunAt = null, lastReceiptId = null, message = null, stravaOnly = 0 } = account
  return (
    <div class="form">
      <Row
        isAlone
        name={<strong>{`intervals.icu · ${name ?? athlete}`}</strong>}
        about={[`Key …${keyEnding}`, lastRunAt === null ? 'Not synced yet' : `Last sync ${dayAndTime(lastRunAt)}`]}
      />
      {message !== null && <Notice kind="bad">{`${message}.`}</Notice>}
      {stravaOnly > 0 && (
        <p class="muted">{`${counted(stravaOnly, 'run')} reached intervals.icu through Strava and can’t be read. Connect the watch to intervals.icu directly, or import Strava’s own export.`}</p>
      )}
      <div class="actions start">
        <Button isBusy={isBusy} onClick={() => void act(run)}>
          Sync now
        </Button>
        <Button kind="quiet" disabled={isBusy} onClick={() => void act(leave)}>
          Disconnect
        </Button>
        {lastReceiptId !== null && <Link href={`/app/receipts/${lastReceiptId}`}>Last import</Link>}
      </div>
    </div>
  )
}

function Connect() {
  const [apiKey, setKey] = useState('')
  const [since, setSince] = useState<'month' | 'all'>('month')
  const connect = async () => {
    await api.send('PUT', '/settings/sync/intervals-icu', { apiKey, ...(since === 'all' ? { since: null } : {}) })
  }
  return (
    <Form action="Connect" isPrimary isIncomplete={apiKey === ''} onSend={connect}>
      <p class="muted">
        intervals.icu is free and receives runs from Garmin, COROS, Polar, Suunto, Wahoo, Zepp and others. Its API key
        is under Settings › Developer Settings. Harrier only reads.
      </p>
      <Field label="intervals.icu API key" value={apiKey} onText={setKey} autocomplete="off" isVerbatim />
      <Select label="Import" value={since} options={SINCE} onValue={setSince} />
    </Form>
  )
}
