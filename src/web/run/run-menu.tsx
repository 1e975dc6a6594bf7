import { useState } from 'preact/hooks'
import { api } from '../api.ts'
import { saveFile } from '../downloads/save-file.ts'
import { navigate } from '../router.ts'
import { similarPath } from '../screens/run-query.ts'
import { useResource, useUnits } from '../state.ts'
import { failureNotice, Lazy } from '../ui/lazy.tsx'
import { Menu, type MenuItem } from '../ui/menu.tsx'
import { fetchPart } from '../ui/part.ts'
import { toast } from '../ui/toast.tsx'
import { attempt } from '../use-action.ts'
import { useIsHiding } from '../use-is-hiding.ts'
import type { RunSeries } from './charts/series.ts'
import { CropDialog } from './crop-dialog.tsx'
import { LoadDialog } from './load-dialog.tsx'
import { Repetitions } from './repetitions/repetitions-choice.tsx'
import { UndoCropDialog, undoText, useCropCount } from './sources/undo-crop.tsx'
import type { Detail, Edit } from './types.ts'

type Item = Omit<MenuItem, 'group'>

interface RunMenuProps {
  readonly run: Detail
  /** null: there are no samples to crop, or they are loading. */
  readonly series: RunSeries | null
  readonly onEdit: (edit: Edit) => Promise<string | null>
  readonly onDelete: () => void
}

/** Actions on a whole run. */
export function RunMenu({ run, series, onEdit, onDelete }: RunMenuProps) {
  const units = useUnits()
  const [isOpen, setOpen] = useState(false)
  const [isCropping, setCropping] = useState(false)
  const [isLoading, setLoading] = useState(false)
  // the same call as the card below, so its answer is shared
  const training = useResource(`/workouts/${run.id}/training`).data
  /** Number of crops to be undone. */
  const [undoing, setUndoing] = useState(0)
  const [isRepairing, setRepairing] = useState(false)
  const [isRepeating, setRepeating] = useState(false)
  const cropCount = useCropCount(run.id, isOpen)
  const save = () => void saveFile(`/workouts/${run.id}/file`, 'This run has no original file')
  // a GPX file needs a route
  const formats = run.hasRoute ? (['FIT', 'GPX', 'TCX'] as const) : (['FIT', 'TCX'] as const)
  const tasks = [
    ...(run.hasRoute ? (['recalculate-splits'] as const) : []),
    ...(run.avgHeartRateBpm === null ? [] : (['recalculate-effort'] as const)),
  ]
  const leaveOut = async () => {
    const failure = await onEdit({ leftOut: !run.leftOut })
    toast(failure ?? (run.leftOut ? 'Included in statistics' : 'Excluded from statistics and records'))
  }
  const excludeFromEstimates = training?.excludeFromEstimates !== true
  const estimate = async () => {
    const failure = await onEdit({ excludeFromEstimates })
    toast(
      failure ??
        (excludeFromEstimates ? 'Excluded from predictions; its load still counts' : 'Included in predictions'),
    )
  }
  const change: readonly Item[] = [
    ...(run.hasRoute && series !== null
      ? [{ text: 'Crop…', icon: 'edit', onChoose: () => setCropping(true) } as const]
      : []),
    ...(cropCount > 0
      ? [{ text: `${undoText(cropCount)}…`, icon: 'undo', onChoose: () => setUndoing(cropCount) } as const]
      : []),
    { text: 'Repair…', icon: 'edit', onChoose: () => setRepairing(true) },
    ...(series === null ? [] : [{ text: 'Edit reps…', icon: 'edit', onChoose: () => setRepeating(true) } as const]),
    ...(tasks.length > 0
      ? [{ text: 'Recalculate', icon: 'clock', onChoose: () => void recalculate(run.id, tasks) } as const]
      : []),
    { text: 'Similar runs', icon: 'runs', onChoose: () => navigate(similarPath(run, units)) },
    { text: 'Run history', icon: 'clock', onChoose: () => navigate(`/app/history?run=${run.id}`) },
    { text: 'Delete run', icon: 'trash', isDangerous: true, onChoose: onDelete },
  ]
  const count: readonly Item[] = [
    {
      text: run.leftOut ? 'Include in statistics' : 'Exclude from statistics',
      icon: run.leftOut ? 'check' : 'minus',
      onChoose: () => void leaveOut(),
    },
    ...(training === null
      ? []
      : ([
          {
            text: excludeFromEstimates ? 'Exclude from predictions' : 'Include in predictions',
            icon: excludeFromEstimates ? 'minus' : 'check',
            onChoose: () => void estimate(),
          },
          { text: 'Load…', icon: 'training', onChoose: () => setLoading(true) },
        ] as const)),
  ]
  const isHiding = useIsHiding(isOpen && run.hasRoute)
  const files: readonly Item[] = [
    { text: 'Download original', icon: 'download', onChoose: save },
    ...formats.map((format) => ({
      text: `Download as ${format}`,
      icon: 'download' as const,
      onChoose: () =>
        void saveFile(`/workouts/${run.id}/export?format=${format.toLowerCase()}`, 'This run no longer exists'),
    })),
    ...(isHiding
      ? [
          {
            text: 'Download trimmed GPX',
            icon: 'download' as const,
            onChoose: () =>
              void saveFile(`/workouts/${run.id}/export?format=gpx&trim=true`, 'This run no longer exists'),
          },
        ]
      : []),
  ]
  const items = Object.entries({ Edit: change, Statistics: count, Files: files }).flatMap(([group, of]) =>
    of.map((item) => ({ ...item, group })),
  )
  return (
    <>
      <Menu label="More actions" items={items} buttonClass="button icon-only" onToggle={setOpen} />
      {isCropping && series !== null && (
        <CropDialog runId={run.id} series={series} onClose={() => setCropping(false)} />
      )}
      {isLoading && <LoadDialog run={run} onEdit={onEdit} onClose={() => setLoading(false)} />}
      {isRepairing && (
        <Lazy load={loadRepair} props={{ run, series, onClose: () => setRepairing(false) }} waiting={failureNotice} />
      )}
      {isRepeating && series !== null && (
        <Repetitions runId={run.id} series={series} onClose={() => setRepeating(false)} />
      )}
      {undoing > 0 && <UndoCropDialog runId={run.id} count={undoing} onClose={() => setUndoing(0)} />}
    </>
  )
}

const loadRepair = () =>
  fetchPart('repair-dialog', () => import('./repair/repair-dialog.tsx')).then(({ RepairDialog }) => RepairDialog)

/** Recomputes splits and effort with the current unit and zones; usually both are kept up to date automatically. */
function recalculate(runId: string, tasks: readonly ('recalculate-splits' | 'recalculate-effort')[]): Promise<void> {
  return attempt(async () => {
    for (const task of tasks) await api.send('POST', `/workouts/${runId}/${task}`)
    toast('Recalculated')
  })
}
