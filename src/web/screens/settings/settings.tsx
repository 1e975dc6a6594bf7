import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { attempt } from '../../actions.ts'
import { api } from '../../api.ts'
import { saveRuns, type ZipProgress } from '../../downloads.ts'
import { bytes, counted, dayAndTime, distanceUnit, number } from '../../format.ts'
import { DropZone, ImportButton } from '../../import/drop.tsx'
import { Link, navigate, useRoute } from '../../router.ts'
import { useResource, useUnits } from '../../state.ts'
import { Button, Icon } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { useSubmit } from '../../ui/form.tsx'
import { Notice } from '../../ui/loaded.tsx'
import { toast } from '../../ui/toast.tsx'
import { TERMS } from '../../words.ts'
import { Row } from '../row.tsx'
import { ApiKeys, PasswordForm, PrivacySettings } from './access.tsx'
import { Phone, SyncSetting, WatchFolderSettings } from './runs-in.tsx'
import { TrainingProfileSettings, UnitsAndTheme, ZonesSettings } from './you.tsx'
import './settings.css'

/** The pages by the end of their address. */
const PAGES = [
  ['you', 'You'],
  ['runs-in', 'Getting runs in'],
  ['data', 'Your data'],
  ['access', 'Access and privacy'],
  ['about', 'About'],
] as const

/** The sections: their page, the end of their address, their title and content; a link to a section leads to its page. */
const SECTIONS: readonly (readonly [page: string, id: string, title: string, Content: () => ComponentChildren])[] = [
  ['you', 'units', 'Units and theme', UnitsAndTheme],
  ['you', 'zones', TERMS.heartRateZones, ZonesSettings],
  ['you', 'training', 'Training profile', TrainingProfileSettings],
  ['runs-in', 'import', 'Import', () => <DropZone />],
  ['runs-in', 'phone', 'Phone', Phone],
  ['runs-in', 'watch', 'Watch folder', WatchFolderSettings],
  ['runs-in', 'sync', 'Sync', SyncSetting],
  ['data', 'archive', 'Export and restore', Archive],
  ['data', 'backups', 'Backups', BackupState],
  ['data', 'history', 'History and trash', HistoryLinks],
  ['data', 'recalculate', 'Recalculate', Recalculate],
  ['access', 'password', 'Password and devices', PasswordForm],
  ['access', 'privacy', 'Privacy', PrivacySettings],
  ['access', 'keys', 'API keys', ApiKeys],
  ['about', 'about', 'About', About],
]
/** A sentence about a section. */
const ABOUT: Readonly<Record<string, string>> = {
  zones: 'Zones set how hard your runs count.',
  training:
    'Loads and predictions are based on these values. Empty values carry over, or come from your zones and runs.',
  phone: 'Send runs from your phone automatically.',
  watch: 'New files in a folder are imported automatically, each once.',
  sync: 'New runs are imported automatically.',
  archive:
    'Everything in one ZIP: runs with original files, photos, shoes, records and settings. You can restore it here or elsewhere.',
  history: 'See what was changed or deleted. You can undo most of it for a while.',
  recalculate: 'Harrier keeps these up to date automatically.',
  password: 'A new password logs out all other devices. API keys stay valid.',
  privacy: 'Apart from this, nothing leaves this machine.',
  keys: 'For scripts and other programs. A key can’t create keys or change the password.',
}
/** Those that take both columns. */
const WIDE = ['training', 'keys', 'about']
/** Anchors within a section. */
const WITHIN: Readonly<Record<string, string>> = { weather: 'privacy', calendar: 'privacy', shared: 'privacy' }

/** Five pages of settings, and rarely used tools. */
export function Settings() {
  const { path } = useRoute()
  const named = PAGES.find(([name]) => path.endsWith(`/${name}`))
  const [page] = named ?? PAGES[0]
  useEffect(() => {
    const anchor = location.hash.slice(1)
    const home = SECTIONS.find(([, id]) => id === (WITHIN[anchor] ?? anchor))?.[0] ?? page
    // an older address, when all settings were one page
    if (named === undefined && home !== page) return navigate(`/app/settings/${home}#${anchor}`, { replace: true })
    // the browser does not scroll to the target of a link from another view
    document.getElementById(anchor)?.scrollIntoView()
  }, [path])
  return (
    <div class="page settings">
      <div class="page-head">
        <h1 tabIndex={-1}>Settings</h1>
      </div>
      <nav aria-label="Settings" class="settings-tabs flow gap-1 below-4">
        {PAGES.map(([name, title]) => (
          <Link
            key={name}
            class="muted small"
            href={`/app/settings/${name}`}
            {...(name === page ? { 'aria-current': 'page' as const } : {})}
          >
            {title}
          </Link>
        ))}
      </nav>
      <div
        class="stack gap-4"
        style={{ gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 440px), 1fr))' }}
        key={page}
      >
        {page === 'data' && <FilesNotice />}
        {SECTIONS.filter(([of]) => of === page).map(([, id, title, Content]) => (
          <section key={id} class={WIDE.includes(id) ? 'card whole' : 'card'} id={id} aria-labelledby={`${id}-title`}>
            <h2 class="large" id={`${id}-title`}>
              {title}
            </h2>
            {ABOUT[id] !== undefined && <p class="muted small">{ABOUT[id]}</p>}
            <div class="above-4">
              <Content />
            </div>
          </section>
        ))}
      </div>
    </div>
  )
}

function About() {
  const { data } = useResource('/version')
  const commit = data === null || data.gitCommit === 'unknown' ? '' : ` (${data.gitCommit.slice(0, 8)})`
  return (
    <div class="prose stack">
      <p>
        <strong>Harrier</strong> {data === null ? '' : `${data.version}${commit}`}
      </p>
      <p>
        Your own programs can do everything this page does: <a href="/swagger">API reference</a>.
      </p>
    </div>
  )
}

function HistoryLinks() {
  return (
    <div class="actions start">
      <Link class="button" href="/app/history">
        <Icon name="clock" /> History
      </Link>
      <Link class="button" href="/app/history?show=trash">
        <Icon name="trash" /> Trash
      </Link>
    </div>
  )
}

/** Export and restore of the library. */
function Archive() {
  const form = useRef<HTMLFormElement>(null)
  const { fault, submit } = useSubmit(async () => {
    // a form displays its answer, so the session is renewed first to get the archive and not an error
    await api.get('/settings/unit-preference')
    form.current?.submit()
  })
  return (
    <div class="form">
      {fault !== null && <Notice kind="bad">{fault}</Notice>}
      <form ref={form} method="post" action="/workouts/export" hidden />
      <div class="actions start">
        <Button icon="download" onClick={submit}>
          Download archive
        </Button>
        <ImportButton text="Restore archive" kind="plain" isArchive />
      </div>
      <p class="muted small">Restoring adds what’s missing and changes nothing else.</p>
      <Originals />
    </div>
  )
}

/** Downloads the original files of all runs as one ZIP. */
function Originals() {
  const { data } = useResource('/workouts?pageSize=1')
  const [progress, setProgress] = useState<ZipProgress | null>(null)
  const stop = useRef<AbortController | null>(null)
  const { isBusy, fault, submit } = useSubmit(async () => {
    setProgress({ runs: 0, bytes: 0 })
    stop.current = new AbortController()
    const { signal } = stop.current
    await saveRuns({ format: 'original', filter: {} }, { onProgress: setProgress, signal })
  })
  const total = data?.totalCount ?? 0
  return (
    <>
      {fault !== null && <Notice kind="bad">{fault}</Notice>}
      <div class="actions start">
        <Button icon="file" isBusy={isBusy} disabled={total === 0} onClick={submit}>
          Download originals
        </Button>
        {isBusy && progress !== null && (
          <>
            <span class="muted small" role="status">
              {number(Math.min(progress.runs, total))} of {counted(total, 'run')}, {bytes(progress.bytes)}
            </span>
            <Button kind="quiet" size="small" onClick={() => stop.current?.abort()}>
              Cancel
            </Button>
          </>
        )}
      </div>
      <p class="muted small">
        Your uploaded files by year, with a table of all runs, for use in other programs. Photos and notes are in the
        archive.
      </p>
    </>
  )
}

/** The last automatic backup, or why there is none. */
function BackupState() {
  const { data } = useResource('/settings/backup')
  if (data === null) return null
  const { enabled, at, last, failed } = data
  const made =
    last === null
      ? null
      : `Last backup: ${dayAndTime(last.at)}, ${bytes(last.bytes)}, ${last.verified ? 'verified' : 'not verified'}`
  return (
    <div class="form">
      {failed !== null && (
        <Notice kind="bad">
          {failed.error} ({dayAndTime(failed.at)}). {made ?? 'No backup yet'}.
          {enabled && ' Harrier tries again every hour.'}
        </Notice>
      )}
      {failed === null && made !== null && <p>{made}</p>}
      <p class="muted small">{enabled ? `Automatic backups: daily at ${at}, on the server.` : OFF}</p>
    </div>
  )
}

const OFF = 'Automatic backups are off. To turn them on, set BACKUP_DIR to a folder on another disk.'

/** Missing files of the library, and files that belong to nothing; empty when there are none. */
function FilesNotice() {
  const { data } = useResource('/settings/files')
  if (data === null) return null
  const { found, missing } = data
  if (found.count + missing.count === 0) return null
  return (
    <div class="whole stack">
      {missing.count > 0 && (
        <Notice kind="bad">
          {counted(missing.count, 'file')} of your library {missing.count === 1 ? 'is' : 'are'} missing on the server:{' '}
          {missing.files.slice(0, 5).map(({ workoutId, filename }, place) => (
            <>
              {place > 0 && ', '}
              <Link href={`/app/runs/${workoutId}`}>{filename}</Link>
            </>
          ))}
          {missing.count > 5 && ' and others'}. The runs are complete; a backup may have the files.
        </Notice>
      )}
      {found.count > 0 && (
        <Notice>
          {counted(found.count, 'file')} without a run {found.count === 1 ? 'was' : 'were'} moved to the folder{' '}
          <code>found</code> on the server, where {found.count === 1 ? 'it is' : 'they are'} kept for{' '}
          {counted(found.keptDays, 'day')}. This is normal after an interrupted import.
        </Notice>
      )}
    </div>
  )
}

type Task = 'splits' | 'effort' | 'records'

const PATHS = {
  splits: '/workouts/recalculate-splits',
  effort: '/workouts/recalculate-relative-effort',
  records: '/stats/best-efforts/recalculate',
} as const

/** Recalculations of all runs, each with a confirmation that states their number. */
function Recalculate() {
  const units = useUnits()
  const splits = useResource(`${PATHS.splits}/count`)
  const effort = useResource(`${PATHS.effort}/count`)
  const [asked, setAsked] = useState<Task | null>(null)
  const [busy, setBusy] = useState<Task | null>(null)
  const run = async (task: Task) => {
    setBusy(task)
    await attempt(async () => toast((await api.send('POST', PATHS[task])).message))
    setBusy(null)
  }
  const tasks: readonly (readonly [task: Task, name: string, about: string])[] = [
    ['splits', TERMS.splits, `Every ${distanceUnit(units)}, for ${runsText(splits.data?.count)} with a route`],
    ['effort', TERMS.relativeEffort, `With your zones, for ${runsText(effort.data?.count)} with heart rate`],
    ['records', 'Best efforts', 'All distances, from the recorded points'],
  ]
  return (
    <>
      <ul class="rows">
        {tasks.map(([task, name, about]) => (
          <Row key={task} name={<strong>{name}</strong>} about={[about]}>
            <Button size="small" isBusy={busy === task} disabled={busy !== null} onClick={() => setAsked(task)}>
              Recalculate
            </Button>
          </Row>
        ))}
      </ul>
      {asked !== null && (
        <Confirm
          title={`Recalculate ${tasks.find(([task]) => task === asked)?.[1].toLowerCase()}?`}
          action="Recalculate"
          onConfirm={() => void run(asked)}
          onClose={() => setAsked(null)}
        >
          <p class="muted">This replaces the stored values. Your runs, edits and files don’t change.</p>
        </Confirm>
      )}
    </>
  )
}

function runsText(count: number | undefined): string {
  return count === undefined ? 'all runs' : counted(count, 'run')
}
