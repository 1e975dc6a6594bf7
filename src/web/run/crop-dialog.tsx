import { useState } from 'preact/hooks'
import { SHORTEST_RUN_S } from '../../engine/limits.ts'
import { api, failureText } from '../api.ts'
import { distance, duration, text, type Units } from '../format.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/empty.tsx'
import { Facts } from '../ui/facts.tsx'
import { toastDone } from '../undo.ts'
import { nearestRow, type RunSeries } from './charts/series.ts'
import { CropRoute } from './crop-route.tsx'
import { StretchRange } from './stretch-range.tsx'
import './crop.css'

interface CropDialogProps {
  readonly runId: string
  readonly series: RunSeries
  readonly units: Units
  readonly onClose: () => void
}

/** Crops a run: two handles over its pace, a map of the route, and a confirmation. */
export function CropDialog({ runId, series, units, onClose }: CropDialogProps) {
  const lastS = series.elapsedS.at(-1)!
  const [[fromS, toS], setKept] = useState<readonly [number, number]>([0, lastS])
  const [isAsked, setAsked] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const removed = { start: Math.round(fromS), end: Math.round(lastS - toS) }
  const isWhole = removed.start === 0 && removed.end === 0
  const change = (from: number, to: number) => {
    setKept([Math.max(0, Math.min(from, to - SHORTEST_RUN_S)), Math.min(lastS, Math.max(to, from + SHORTEST_RUN_S))])
    setAsked(false)
  }
  const crop = async () => {
    setBusy(true)
    setFailure(null)
    try {
      const receiptId = await api.change('POST', `/workouts/${runId}/crop`, {
        removeFromStartSeconds: removed.start,
        removeFromEndSeconds: removed.end,
      })
      toastDone('Run cropped', [receiptId])
      onClose()
    } catch (error) {
      setFailure(failureText(error))
      setBusy(false)
    }
  }
  return (
    <Dialog title="Crop run" isWide onClose={onClose}>
      <CropRoute series={series} fromS={fromS} toS={toS} />
      <StretchRange series={series} fromS={fromS} toS={toS} onChange={change} labels={['New start', 'New end']} />
      <Facts
        of={[
          ['Cut from start', duration(removed.start)],
          ['Cut from end', duration(removed.end)],
          ['Remaining', leftText(series, [fromS, toS], units)],
        ]}
        class="crop-figures"
      />
      {failure !== null && <Notice kind="bad">{failure}</Notice>}
      {isAsked && !isBusy && (
        <Notice>All numbers are recalculated. “Undo crop” in the menu brings the rest back.</Notice>
      )}
      <div class="actions">
        <Button onClick={onClose}>Cancel</Button>
        {isAsked ? (
          <Button kind="primary" isBusy={isBusy} onClick={() => void crop()}>
            Crop now
          </Button>
        ) : (
          <Button kind="primary" disabled={isWhole} onClick={() => setAsked(true)}>
            Crop…
          </Button>
        )}
      </div>
    </Dialog>
  )
}

function leftText({ elapsedS, distanceM }: RunSeries, [fromS, toS]: readonly [number, number], units: Units): string {
  const seconds = duration(toS - fromS)
  if (distanceM === null) return seconds
  const metres = distanceM[nearestRow(elapsedS, toS)]! - distanceM[nearestRow(elapsedS, fromS)]!
  return `${text(distance(metres, units))} in ${seconds}`
}
