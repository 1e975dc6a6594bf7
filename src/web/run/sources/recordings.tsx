import { saveFile } from '../../downloads/save-file.ts'
import { date, distance, duration, text, type Units } from '../../format.ts'
import { useUnits } from '../../state.ts'
import { Icon } from '../../ui/icon.tsx'
import type { Sources } from '../types.ts'
import { CHANNELS } from './channel-words.ts'

type Recording = Sources['recordings'][number]

interface RecordingsProps {
  readonly runId: string
  readonly recordings: readonly Recording[]
}

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
export function Recordings({ runId, recordings }: RecordingsProps) {
  const units = useUnits()
  return (
    <ul class="sources-recordings" aria-label="Recordings">
      {recordings.map((recording) => (
        <li key={recording.id}>
          <Icon name={recording.kind === 'archive' ? 'archive' : 'file'} class="sources-icon muted" />
          <div class="sources-recording">
            <p class="sources-title flow">
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
  return [
    ...(device === null ? [] : [device]),
    [...metres, ...seconds].join(' in '),
    `${ORIGINS[origin]} ${date(addedAt)}`,
  ]
    .filter((fact) => fact !== '')
    .join(' · ')
}

function channelsText({ kind, channels }: Recording): string {
  if (channels.length === 0) return kind === 'file' ? 'No recorded points' : 'Totals only'
  const [first = '', ...others] = channels.map((channel) => CHANNELS[channel])
  const last = others.pop()
  const words = last === undefined ? first : `${[first, ...others].join(', ')} and ${last}`
  return `With ${words}`
}
