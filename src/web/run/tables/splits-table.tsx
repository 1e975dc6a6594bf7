import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { distanceUnit, number, type Units } from '../../format.ts'
import type { PaceClock } from '../../shown-pace.ts'
import { useUnits } from '../../state.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useAction } from '../../use-action.ts'
import { TERMS } from '../../words.ts'
import type { RunSeries } from '../charts/series.ts'
import type { RunView } from '../run-view.ts'
import type { Split } from '../types.ts'
import { type StretchGroup, type StretchRow, splitGroups, splitRows, unitsOf } from './stretch-rows.ts'
import { StretchTable, ZoomButton } from './stretch-table.tsx'

interface SplitsTableProps {
  readonly splits: readonly Split[]
  readonly clock: PaceClock
  readonly series: RunSeries | null
  readonly view: RunView
}

/** Splits in kilometres or miles; for long runs in groups of five that can be opened. */
export function SplitsTable({ splits, clock, series, view }: SplitsTableProps) {
  const units = useUnits()
  const cutIn = unitsOf(splits, units)
  const rows = useMemo(() => splitRows(splits, { cutIn, clock }), [splits, cutIn, clock])
  const groups = useMemo(() => splitGroups(rows), [rows])
  const [isWhole, setWhole] = useState(false)
  const [opened, setOpened] = useState<readonly string[]>([])
  const table = { caption: TERMS.splits, nameHead: distanceUnit(cutIn), series, view }
  if (groups === null) return <StretchTable {...table} rows={rows} />
  const toggle = ({ key }: StretchGroup) =>
    setOpened(opened.includes(key) ? opened.filter((other) => other !== key) : [...opened, key])
  const shown: readonly StretchRow[] = isWhole
    ? rows
    : groups.flatMap((group) => (opened.includes(group.key) ? [group, ...group.parts] : [group]))
  return (
    <>
      <StretchTable
        {...table}
        rows={shown}
        compared={isWhole || opened.length > 0 ? rows : groups}
        rowClass={(row) => (isGroup(row) ? 'split-group' : '')}
        nameOf={(row) =>
          isGroup(row) ? (
            <GroupButton group={row} isOpen={opened.includes(row.key)} onToggle={() => toggle(row)} />
          ) : (
            <ZoomButton row={row} view={view} />
          )
        }
      />
      <div class="actions start splits-more">
        <Button size="small" icon={isWhole ? 'above' : 'below'} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show in groups' : `Show all ${number(rows.length)} splits`}
        </Button>
      </div>
    </>
  )
}

function isGroup(row: StretchRow): row is StretchGroup {
  return 'parts' in row && Array.isArray(row.parts) && row.parts.length > 0
}

interface GroupButtonProps {
  readonly group: StretchGroup
  readonly isOpen: boolean
  readonly onToggle: () => void
}

function GroupButton({ group, isOpen, onToggle }: GroupButtonProps) {
  return (
    <button
      type="button"
      class="split-name bare"
      aria-expanded={isOpen}
      aria-label={`${group.spoken}: ${isOpen ? 'show as one' : 'show each'}`}
      onClick={onToggle}
    >
      <Icon name={isOpen ? 'below' : 'right'} />
      {group.name}
    </button>
  )
}

interface CutAnewProps {
  readonly runId: string
  readonly splits: readonly Split[]
  /** Without a route, the service does not compute splits again; the page does. */
  readonly hasRoute: boolean
}

/** Recomputes splits of another unit than the reader's at once; after a failure, a button tries again. */
export function CutAnew({ runId, splits, hasRoute }: CutAnewProps) {
  const units = useUnits()
  const isWanted = hasRoute && unitsOf(splits, units) !== units
  const { isBusy, act } = useAction()
  /** The unit requested automatically, so that it is requested only once. */
  const asked = useRef<Units | null>(null)
  const cut = () => act(() => api.send('POST', `/workouts/${runId}/recalculate-splits`))
  useEffect(() => {
    if (!isWanted || asked.current === units) return
    asked.current = units
    void cut()
  }, [isWanted, units])
  if (!isWanted) return null
  return (
    <Button size="small" isBusy={isBusy} onClick={() => void cut()}>
      Split by {units === 'metric' ? 'kilometre' : 'mile'}
    </Button>
  )
}
