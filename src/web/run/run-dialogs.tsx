import { LENGTHS } from '../../base/texts.ts'
import type { RunType } from '../../engine/limits.ts'
import { toastDone } from '../actions.ts'
import { api } from '../api.ts'
import { useIsHiding } from '../asked.ts'
import { saveFile } from '../downloads.ts'
import {
  distance,
  duration,
  elevation,
  number,
  pace,
  runDay,
  runName,
  shownPace,
  text,
  usePaceClock,
} from '../format.ts'
import { Link } from '../router.ts'
import { useResource, useUnits } from '../state.ts'
import type { Run } from '../types.ts'
import { Button } from '../ui/button.tsx'
import { DataTable } from '../ui/card.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Check, Field, Form, Select, useFields } from '../ui/form.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { TERMS } from '../words.ts'
import { RPE_OPTIONS, TYPE_OPTIONS, useShoeOptions } from './run-head.tsx'
import type { Detail, Edit, RunTraining } from './run-view.ts'

export interface RunDialogProps {
  readonly name: 'edit' | 'similar' | 'download' | 'exclude'
  readonly run: Detail
  readonly onClose: () => void
}

/** A dialog of the menu of a run. */
export function RunDialog({ name, ...props }: RunDialogProps) {
  const Part = { edit: EditDialog, similar: SimilarDialog, download: DownloadDialog, exclude: ExcludeDialog }[name]
  return <Part {...props} />
}

type Props = Omit<RunDialogProps, 'name'>

/** Stores what differs, if anything does, and offers to undo it. */
async function store(run: Detail, edit: Edit, done: string): Promise<void> {
  if (Object.keys(edit).length > 0) toastDone(done, [await api.change('PATCH', `/workouts/${run.id}`, edit)])
}

/** Everything that the runner enters about a run, together. */
function EditDialog({ run, onClose }: Props) {
  const shoes = useShoeOptions(run)
  const start = {
    name: run.name ?? '',
    runType: (run.runType ?? '') as RunType | '',
    rpe: run.rpe === null ? '' : String(run.rpe),
    shoeId: run.shoeId ?? '',
    notes: run.notes ?? '',
  }
  const { values, field, choice, isChanged, form } = useFields(start, {
    send: async ({ name, runType, rpe, shoeId, notes }) => {
      await store(
        run,
        {
          ...(isChanged('name') && { name: name.trim() || null }),
          ...(isChanged('runType') && { runType: runType || null }),
          ...(isChanged('rpe') && { rpe: rpe === '' ? null : Number(rpe) }),
          ...(isChanged('shoeId') && { shoeId: shoeId || null }),
          ...(isChanged('notes') && { notes: notes.trim() === '' ? null : notes }),
        },
        'Run changed',
      )
      onClose()
    },
  })
  const notes = field('notes')
  return (
    <Dialog title="Edit run" onClose={onClose}>
      <Form {...form} action="Save" isPrimary onCancel={onClose}>
        <Field label="Name" {...field('name')} placeholder={runName({ ...run, name: null })} maxLength={LENGTHS.name} />
        <div class="columns">
          <Select label="Run type" {...choice('runType')} options={TYPE_OPTIONS} />
          <Select label="RPE" {...choice('rpe')} options={RPE_OPTIONS} />
        </div>
        {shoes.length > 0 && <Select label="Shoe" {...choice('shoeId')} options={[['', TERMS.noShoe], ...shoes]} />}
        <label class="field">
          <span class="field-label">Notes</span>
          <textarea
            class="input"
            rows={4}
            value={values.notes}
            onInput={({ currentTarget }) => notes.onText(currentTarget.value)}
          />
        </label>
      </Form>
    </Dialog>
  )
}

/** What a run counts for. */
function ExcludeDialog({ run, onClose }: Props) {
  return (
    <Dialog title="What this run counts for" onClose={onClose}>
      <Loaded of={useResource(`/workouts/${run.id}/training`)} height="180px">
        {(training) => <ExcludeForm run={run} training={training} onClose={onClose} />}
      </Loaded>
    </Dialog>
  )
}

function ExcludeForm({ run, training, onClose }: Props & { readonly training: RunTraining }) {
  const start = { isCounted: !run.leftOut, isEvidence: !training.excludeFromEstimates }
  const { choice, isChanged, form } = useFields(start, {
    send: async ({ isCounted, isEvidence }) => {
      await store(
        run,
        {
          ...(isChanged('isCounted') && { leftOut: !isCounted }),
          ...(isChanged('isEvidence') && { excludeFromEstimates: !isEvidence }),
        },
        'Saved what this run counts for',
      )
      onClose()
    },
  })
  const check = (name: keyof typeof start, words: string) => (
    <Check checked={choice(name).value} onValue={choice(name).onValue}>
      {words}
    </Check>
  )
  return (
    <Form {...form} action="Save" isPrimary onCancel={onClose}>
      {check('isCounted', 'Statistics and records: totals, goals, best efforts')}
      {check('isEvidence', 'Predictions: VO2max, races, thresholds (its load counts in any case)')}
    </Form>
  )
}

/** The files of a run, each saved by one press. */
function DownloadDialog({ run, onClose }: Props) {
  const isHiding = useIsHiding(run.hasRoute)
  const files: readonly (readonly [name: string, about: string, path: string, missing?: string])[] = [
    ['Original', 'as it was recorded', 'file', 'This run has no original file'],
    ['FIT', 'for watches and most services', 'export?format=fit'],
    // a GPX file needs a route
    ...(run.hasRoute ? [['GPX', 'the route for maps', 'export?format=gpx'] as const] : []),
    ['TCX', 'for older services', 'export?format=tcx'],
    ...(isHiding ? [['Trimmed GPX', 'without your hidden places', 'export?format=gpx&trim=true'] as const] : []),
  ]
  return (
    <Dialog title="Download" onClose={onClose}>
      <ul class="stack gap-2">
        {files.map(([name, about, path, missing = 'This run no longer exists']) => (
          <li key={name} class="level gap-3">
            <Button icon="download" onClick={() => void saveFile(`/workouts/${run.id}/${path}`, missing)}>
              {name}
            </Button>
            <span class="muted small">{about}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

const MOST_SIMILAR = 4
/** How far similar runs differ at most: shares, and metres of climb, which are imprecise. */
const [DISTANCE_SHARE, CLIMB_SHARE, CLIMB_M] = [0.1, 0.25, 20]

function similarQuery({ distanceM, elevGainM, runType }: Detail): string {
  const climb = (share: number, m: number) => Math.max(0, Math.round((elevGainM ?? 0) * share + m))
  return [
    `minDistanceM=${Math.round(distanceM * (1 - DISTANCE_SHARE))}&maxDistanceM=${Math.round(distanceM * (1 + DISTANCE_SHARE))}`,
    ...(runType === null ? [] : [`runType=${encodeURIComponent(runType)}`]),
    ...(elevGainM === null
      ? []
      : [`minElevGainM=${climb(1 - CLIMB_SHARE, -CLIMB_M)}&maxElevGainM=${climb(1 + CLIMB_SHARE, CLIMB_M)}`]),
  ].join('&')
}

/** This run beside the latest ones of its kind, length and climb. */
function SimilarDialog({ run, onClose }: Props) {
  return (
    <Dialog title="Similar runs" isWide onClose={onClose}>
      <Loaded of={useResource(`/workouts?pageSize=${MOST_SIMILAR + 1}&${similarQuery(run)}`)} count={8} height="1.5rem">
        {({ items }) => (
          <SideBySide run={run} others={items.filter(({ id }) => id !== run.id).slice(0, MOST_SIMILAR)} />
        )}
      </Loaded>
    </Dialog>
  )
}

function SideBySide({ run: own, others }: { readonly run: Run; readonly others: readonly Run[] }) {
  const units = useUnits()
  const clock = usePaceClock()
  const shown = (run: Run) => shownPace(run, clock)
  const runs = [own, ...others]
  if (others.length === 0) return <p class="muted">No other run is of this kind, length and climb.</p>
  const lines: readonly (readonly [name: string, value: (run: Run) => string])[] = [
    [TERMS.distance, ({ distanceM }) => text(distance(distanceM, units))],
    [TERMS.time, (run) => duration(shown(run).timeS)],
    [TERMS.pace, (run) => text(pace(shown(run).paceS, units))],
    [TERMS.heartRate, (run) => withUnit(run.avgHeartRateBpm, 'bpm')],
    [TERMS.elevationGain, (run) => (run.elevGainM === null ? '–' : text(elevation(run.elevGainM, units)))],
    [TERMS.cadence, (run) => withUnit(run.avgCadenceSpm, 'spm')],
    ['RPE', ({ rpe }) => (rpe === null ? '–' : number(rpe))],
  ]
  return (
    <section class="table-frame" aria-label="Side by side">
      <DataTable
        class="run-table side-by-side"
        heads={[
          <span class="hidden-text">Number</span>,
          'This run',
          ...others.map((run) => (
            <>
              <Link href={`/app/runs/${run.id}`}>{runDay(run)}</Link>
              {run.leftOut && <span class="muted tiny"> not counted</span>}
            </>
          )),
        ]}
        rows={lines
          .filter(([, value]) => runs.some((run) => value(run) !== '–'))
          .map(([name, value]) => [name, ...runs.map(value)])}
      />
    </section>
  )
}

function withUnit(value: number | null, unit: string): string {
  return value === null ? '–' : text({ value: number(value), unit })
}
