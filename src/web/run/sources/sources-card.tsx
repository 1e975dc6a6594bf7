import { useState } from 'preact/hooks'
import { attempt, toastDone, useAction } from '../../actions.ts'
import { api } from '../../api.ts'
import { saveFile } from '../../downloads.ts'
import { capitalised, counted, date, distance, duration, text, type Units } from '../../format.ts'
import { useResource, useUnits } from '../../state.ts'
import { Button, Icon } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Select } from '../../ui/form.tsx'
import { Pending } from '../../ui/loaded.tsx'
import { TERMS } from '../../words.ts'
import type { Parts } from '../charts/series.ts'
import { CHANNELS, type Sources } from '../run-view.ts'
import { isPart, numberLines, repairLines } from './source-words.ts'

/** Path of the sources call, also its cache key. */
export function sourcesPath(runId: string): `/workouts/${string}/sources` {
  return `/workouts/${runId}/sources`
}

/** The origin of each number; loaded when opened, since every recording is analysed for it. */
export function SourcesCard({ runId }: Parts<'runId'>) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details class="card run-sources" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary class="level spread">
        <h2>Where these numbers come from</h2>
        <Icon name="below" class="muted" />
      </summary>
      {isOpen && <LoadedSources runId={runId} />}
    </details>
  )
}

function LoadedSources({ runId }: Parts<'runId'>) {
  const units = useUnits()
  const { data, error } = useResource(sourcesPath(runId))
  if (data === null) return <Pending error={error} count={8} height="1.5rem" />
  const repairs = repairLines(data, units)
  return (
    <div class="stack gap-5 above-4 small">
      <Corrections runId={runId} {...data} />
      <Recordings runId={runId} recordings={data.recordings} />
      <Merged runId={runId} recordings={data.recordings} />
      {repairs.length > 0 && (
        <ul class="notice stack gap-1" aria-label="Changes">
          {repairs.map(({ id, text, undone }) => (
            <li key={id} class={undone === null ? '' : 'muted'}>
              {text}
              {undone !== null && '. '}
              <span>{undone}</span>
            </li>
          ))}
          {isPart(data.repairs) && <li class="muted">The numbers below are for the remaining part.</li>}
        </ul>
      )}
      <dl class="lines">
        {numberLines(data, units).map(({ name, value, from, differing, agreeing }) => (
          <div class="sources-number" key={name}>
            <dt>{name}</dt>
            <dd class="bold right">{value}</dd>
            <dd class="muted">{from}</dd>
            {(differing !== null || agreeing !== null) && (
              <dd>
                {differing}
                {differing !== null && agreeing !== null && '. '}
                {agreeing !== null && <span class="muted">{agreeing}</span>}
              </dd>
            )}
          </div>
        ))}
      </dl>
    </div>
  )
}

type Recording = Sources['recordings'][number]

type RecordingsProps = Parts<'runId'> & Pick<Sources, 'recordings'>

const TITLES: Readonly<Record<Recording['kind'], string>> = {
  file: 'File',
  row: 'Totals',
  manual: 'Entered manually',
  archive: 'Archive',
}
const ORIGINS: Readonly<Record<Recording['origin'], string>> = {
  upload: 'Uploaded',
  share_target: 'Shared from a phone',
  watch_folder: 'From the watch folder, added',
  strava_archive: 'From a Strava export, added',
  garmin_takeout: 'From a Garmin export, added',
  apple_health: 'From Apple Health, added',
  health_auto_export: 'From Health Auto Export, added',
  zip: 'From a ZIP, added',
  runkeeper: 'From a Runkeeper export, added',
  runtastic: 'From an adidas Running export, added',
  polar_flow: 'From a Polar Flow export, added',
  nike: 'From Nike Run Club, added',
  health_connect: 'From Health Connect, added',
  fittrackee: 'From FitTrackee, added',
  endurain: 'From Endurain, added',
  workout_tracker: 'From workout-tracker, added',
  goldencheetah: 'From GoldenCheetah, added',
  intervals_icu: 'From intervals.icu, added',
  archive: 'From an archive, added',
  manual: 'Added',
  joined: 'Joined from the others',
}

/** The recordings of a run, each with its origin and content. */
function Recordings({ runId, recordings }: RecordingsProps) {
  const units = useUnits()
  return (
    <ul class="tiles" aria-label="Recordings">
      {recordings.map((recording) => (
        <li key={recording.id} class="level gap-3">
          <Icon name={recording.kind === 'archive' ? 'archive' : 'file'} class="muted" />
          <div class="breaks grow">
            <p class="sources-title flow gap-3">
              <Title path={`/workouts/${runId}/sources/${recording.id}/file`} recording={recording} />
              {recordings.length > 1 && recording.isPrimary && recording.channels.length > 0 && (
                <span class="badge">Shown on map and charts</span>
              )}
            </p>
            <p class="muted">{factsText(recording, units)}</p>
            <p class="muted">{channelsText(recording)}</p>
          </div>
        </li>
      ))}
    </ul>
  )
}

/** A link to the original, where there is one; when it cannot be loaded, an error is shown without leaving the page. */
function Title({ path, recording }: { readonly path: string; readonly recording: Recording }) {
  const { filename, kind, origin } = recording
  if (filename === null) return kind === 'row' && origin === 'strava_archive' ? 'Strava table' : TITLES[kind]
  return (
    <a
      href={path}
      title="Download original"
      onClick={(event) => {
        event.preventDefault()
        void saveFile(path, 'The original file no longer exists')
      }}
    >
      {filename}
    </a>
  )
}

function factsText({ origin, addedAt, device, durationS, distanceM }: Recording, units: Units): string {
  const metres = distanceM === null ? [] : [text(distance(distanceM, units))]
  const seconds = durationS === null ? [] : [duration(durationS)]
  const facts = [device, [...metres, ...seconds].join(' in '), `${ORIGINS[origin]} ${date(addedAt)}`]
  return facts.filter((fact) => fact).join(' · ')
}

function channelsText({ kind, channels }: Recording): string {
  if (channels.length === 0) return kind === 'file' ? 'No recorded points' : 'Totals only'
  return `With ${new Intl.ListFormat('en-GB').format(channels.map((channel) => CHANNELS[channel]))}`
}

type Channel = keyof typeof CHANNELS

/** Of a merged run: where each channel comes from, to be changed, and the way back to several runs. */
function Merged({ runId, recordings }: RecordingsProps) {
  const { data } = useResource(`/workouts/${runId}?includeRaw=false&includeRoute=false`)
  const [isAsking, setAsking] = useState(false)
  const fields = data?.fieldSources ?? null
  if (fields === null) return null
  const choose = (channel: Channel, id: string) =>
    attempt(async () => {
      const receipt = await api.change('PUT', `/workouts/${runId}/field-sources`, { [channel]: id })
      toastDone(`Changed where the ${CHANNELS[channel]} comes from`, [receipt])
    })
  const separate = async () =>
    toastDone('Recordings separated', [await api.change('POST', `/workouts/${runId}/unmerge`, { sourceId: null })])
  const having = (channel: Channel) => recordings.filter(({ channels }) => channels.includes(channel))
  const several = (Object.keys(CHANNELS) as Channel[]).filter((channel) => having(channel).length > 1)
  return (
    <div class="stack">
      <h3>{`Based on ${counted(recordings.length, 'recording')}`}</h3>
      {several.map((channel) => (
        <Select
          key={channel}
          label={capitalised(CHANNELS[channel])}
          value={fields[channel] ?? having(channel)[0]!.id}
          options={having(channel).map(
            ({ id, filename, device }, k) => [id, device ?? filename ?? `Recording ${k + 1}`] as const,
          )}
          onValue={(id) => void choose(channel, id)}
        />
      ))}
      <div class="actions start">
        <Button onClick={() => setAsking(true)}>Separate</Button>
      </div>
      {isAsking && (
        <Confirm
          title="Separate the recordings?"
          action="Separate"
          onConfirm={separate}
          onClose={() => setAsking(false)}
        >
          <p class="muted">
            Each becomes a run of its own again, with the name, notes, shoe and photos it had. What you changed or added
            since stays with this one, repairs with the recording they were made on.
          </p>
        </Confirm>
      )}
    </div>
  )
}

/** Says that values of the files were corrected, and leads to them. */
export function CorrectedLine({ run: { corrections, stated } }: Parts<'run'>) {
  if (corrections === 0) return null
  const words = corrections === 1 ? '1 value of the file was' : `${corrections} values of the file were`
  return (
    <p>
      <button type="button" class="bare muted small flow" onClick={showSources}>
        {stated ? 'The file’s values count, without corrections' : `${words} corrected`}
        <Icon name="below" />
      </button>
    </p>
  )
}

function showSources() {
  const card = document.querySelector<HTMLDetailsElement>('.run-sources')
  if (card === null) return
  card.open = true
  card.querySelector('summary')?.focus()
  // it grows when what it shows is loaded
  const growth = new ResizeObserver(() => card.scrollIntoView())
  growth.observe(card)
  setTimeout(() => growth.disconnect(), 2000)
}

/** A sentence for each correction, and the choice of what counts. */
function Corrections({ runId, corrections, choices: { stated } }: Sources & { readonly runId: string }) {
  const { isBusy, act } = useAction(TERMS.notSaved)
  if (corrections.length === 0) return null
  const choose = () =>
    act(async () => {
      const receipt = await api.change('PATCH', `/workouts/${runId}`, { stated: !stated })
      toastDone(stated ? 'The corrected values count' : 'The file’s values count', [receipt])
    })
  return (
    <div class="notice stack gap-3">
      <ul class={stated ? 'stack gap-1 muted' : 'stack gap-1'} aria-label="Corrections">
        {corrections.map(({ reason }) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
      <p class="flow">
        {stated && <span>You chose the file’s values.</span>}
        <Button size="small" disabled={isBusy} onClick={() => void choose()}>
          {stated ? 'Use the corrected values' : 'Use the file’s values'}
        </Button>
      </p>
    </div>
  )
}
