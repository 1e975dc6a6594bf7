import { useMemo, useRef, useState } from 'preact/hooks'
import { ApiError, api } from '../api.ts'
import { distance, duration, text, type Units } from '../format.ts'
import { invalidate } from '../state.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/empty.tsx'
import { toastDone } from '../undo.ts'
import { nearestRow, type RunSeries } from './charts/series.ts'
import { CropRoute } from './crop-route.tsx'
import { trimmedRange } from './map/colour-scale.ts'
import './crop.css'

interface CropDialogProps {
  readonly runId: string
  readonly series: RunSeries
  readonly units: Units
  readonly onClose: () => void
}

/** What the service leaves at least. */
const SHORTEST_S = 10
const WIDTH = 600
const HEIGHT = 90

/** Cuts seconds off both ends: two handles over the pace of the run, the route beside it, and a question before it is done. */
export function CropDialog({ runId, series, units, onClose }: CropDialogProps) {
  const lastS = series.elapsedS.at(-1)!
  const [[fromS, toS], setKept] = useState<readonly [number, number]>([0, lastS])
  const [isAsked, setAsked] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const removed = { start: Math.round(fromS), end: Math.round(lastS - toS) }
  const isWhole = removed.start === 0 && removed.end === 0
  const change = (from: number, to: number) => {
    setKept([Math.max(0, Math.min(from, to - SHORTEST_S)), Math.min(lastS, Math.max(to, from + SHORTEST_S))])
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
      for (const prefix of ['/workouts', '/stats', '/shoes']) invalidate(prefix)
      toastDone('Run cropped', [receiptId])
      onClose()
    } catch (error) {
      setFailure(error instanceof ApiError ? error.message : 'That did not work. Try again.')
      setBusy(false)
    }
  }
  return (
    <Dialog title="Crop run" isWide onClose={onClose}>
      <CropRoute series={series} fromS={fromS} toS={toS} />
      <CropRange series={series} fromS={fromS} toS={toS} onChange={change} />
      <dl class="crop-figures">
        <div>
          <dt>Off the start</dt>
          <dd>{duration(removed.start)}</dd>
        </div>
        <div>
          <dt>Off the end</dt>
          <dd>{duration(removed.end)}</dd>
        </div>
        <div>
          <dt>Left</dt>
          <dd>{leftText(series, [fromS, toS], units)}</dd>
        </div>
      </dl>
      {failure !== null && <Notice kind="bad">{failure}</Notice>}
      {isAsked && !isBusy && (
        <Notice>All figures are computed anew from what is left. “Undo crop” in the menu brings the rest back.</Notice>
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

interface CropRangeProps {
  readonly series: RunSeries
  readonly fromS: number
  readonly toS: number
  readonly onChange: (fromS: number, toS: number) => void
}

function CropRange({ series, fromS, toS, onChange }: CropRangeProps) {
  const frame = useRef<HTMLDivElement>(null)
  const lastS = series.elapsedS.at(-1)!
  const path = useMemo(() => profilePath(series), [series])
  const share = (atS: number) => (atS / lastS) * 100
  const secondsAt = (event: PointerEvent) => {
    const { left, width } = frame.current!.getBoundingClientRect()
    return Math.round(((event.clientX - left) / width) * lastS)
  }
  const handle = (which: 'start' | 'end') => {
    const atS = which === 'start' ? fromS : toS
    const set = (value: number) => (which === 'start' ? onChange(value, toS) : onChange(fromS, value))
    return (
      <div
        class={`crop-handle ${which}`}
        style={{ left: `${share(atS)}%` }}
        role="slider"
        tabIndex={0}
        aria-label={which === 'start' ? 'New start' : 'New end'}
        aria-valuemin={0}
        aria-valuemax={Math.round(lastS)}
        aria-valuenow={Math.round(atS)}
        aria-valuetext={duration(atS)}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          event.currentTarget.focus()
          event.preventDefault()
        }}
        onPointerMove={(event) => {
          if (event.currentTarget.hasPointerCapture(event.pointerId)) set(secondsAt(event))
        }}
        onKeyDown={(event) => {
          const step = event.shiftKey ? 10 : 1
          const value = {
            ArrowLeft: atS - step,
            ArrowDown: atS - step,
            ArrowRight: atS + step,
            ArrowUp: atS + step,
            PageDown: atS - 60,
            PageUp: atS + 60,
            Home: 0,
            End: lastS,
          }[event.key]
          if (value === undefined) return
          event.preventDefault()
          set(value)
        }}
      />
    )
  }
  return (
    <div class="crop-range" ref={frame}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <path d={path} />
      </svg>
      <span class="crop-cut" style={{ left: '0', width: `${share(fromS)}%` }} />
      <span class="crop-cut" style={{ left: `${share(toS)}%`, width: `${100 - share(toS)}%` }} />
      {handle('start')}
      {handle('end')}
    </div>
  )
}

/** Speed over time as a filled shape; where it is not known the runner stood. */
function profilePath({ elapsedS, metrics }: RunSeries): string {
  const values = metrics.pace ?? metrics.heartRate ?? metrics.elevation
  if (values === null) return ''
  const isPace = metrics.pace !== null
  const heights = values.map((value) => (isPace ? 1000 / value : value))
  const [low, high] = trimmedRange(heights, 0.01) ?? [0, 1]
  const floor = isPace ? 0 : low
  const lastS = elapsedS.at(-1)!
  const parts: string[] = [`M0 ${HEIGHT}`]
  for (let x = 0; x <= WIDTH; x += 2) {
    const value = heights[nearestRow(elapsedS, (x / WIDTH) * lastS)]!
    const part = Number.isNaN(value) ? 0 : Math.max(0, Math.min(1, (value - floor) / Math.max(1e-9, high - floor)))
    parts.push(`L${x} ${(HEIGHT - part * (HEIGHT - 8)).toFixed(1)}`)
  }
  return `${parts.join('')}L${WIDTH} ${HEIGHT}Z`
}

function leftText({ elapsedS, distanceM }: RunSeries, [fromS, toS]: readonly [number, number], units: Units): string {
  const seconds = duration(toS - fromS)
  if (distanceM === null) return seconds
  const metres = distanceM[nearestRow(elapsedS, toS)]! - distanceM[nearestRow(elapsedS, fromS)]!
  return `${text(distance(metres, units))} in ${seconds}`
}
