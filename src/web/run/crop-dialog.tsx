import { useState } from 'preact/hooks'
import { SHORTEST_RUN_S } from '../../engine/limits.ts'
import { api } from '../api.ts'
import { distance, duration, text, type Units } from '../format.ts'
import { useUnits } from '../state.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/empty.tsx'
import { Facts } from '../ui/facts.tsx'
import { Form } from '../ui/form.tsx'
import { toastDone } from '../undo.ts'
import { nearestRow, type RunSeries } from './charts/series.ts'
import { CropRoute } from './crop-route.tsx'
import { StretchRange } from './stretch-range.tsx'
import './crop.css'

interface CropDialogProps {
  readonly runId: string
  readonly series: RunSeries
  readonly onClose: () => void
}

/** Crops a run: two handles over its pace, a map of the route, and a confirmation. */
export function CropDialog({ runId, series, onClose }: CropDialogProps) {
  const units = useUnits()
  const lastS = series.elapsedS.at(-1)!
  const [[fromS, toS], setKept] = useState<readonly [number, number]>([0, lastS])
  const [isAsked, setAsked] = useState(false)
  const removed = { start: Math.round(fromS), end: Math.round(lastS - toS) }
  const isWhole = removed.start === 0 && removed.end === 0
  const change = (from: number, to: number) => {
    setKept([Math.max(0, Math.min(from, to - SHORTEST_RUN_S)), Math.min(lastS, Math.max(to, from + SHORTEST_RUN_S))])
    setAsked(false)
  }
  const crop = async () => {
    if (!isAsked) return setAsked(true)
    const receiptId = await api.change('POST', `/workouts/${runId}/crop`, {
      removeFromStartSeconds: removed.start,
      removeFromEndSeconds: removed.end,
    })
    toastDone('Run cropped', [receiptId])
    onClose()
  }
  return (
    <Dialog title="Crop run" isWide onClose={onClose}>
      <Form action={isAsked ? 'Crop now' : 'Crop…'} isPrimary isIncomplete={isWhole} onCancel={onClose} onSend={crop}>
        <CropRoute series={series} fromS={fromS} toS={toS} />
        <StretchRange series={series} fromS={fromS} toS={toS} onChange={change} labels={['New start', 'New end']} />
        <Facts
          of={[
            ['Cut from start', duration(removed.start)],
            ['Cut from end', duration(removed.end)],
            ['Remaining', leftText(series, [fromS, toS], units)],
          ]}
        />
        {isAsked && <Notice>All numbers are recalculated. “Undo crop” in the menu restores what was cut.</Notice>}
      </Form>
    </Dialog>
  )
}

function leftText({ elapsedS, distanceM }: RunSeries, [fromS, toS]: readonly [number, number], units: Units): string {
  const seconds = duration(toS - fromS)
  if (distanceM === null) return seconds
  const metres = distanceM[nearestRow(elapsedS, toS)]! - distanceM[nearestRow(elapsedS, fromS)]!
  return `${text(distance(metres, units))} in ${seconds}`
}
