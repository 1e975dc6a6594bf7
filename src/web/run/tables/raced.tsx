import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import type { Edit } from '../types.ts'

/** Ids of races whose question was answered with yes. */
const ANSWERED = 'harrier.raced'

interface RacedProps {
  readonly runId: string
  readonly onEdit: (edit: Edit) => Promise<string | null>
}

/** Asks once whether a race that is much slower than the others let expect was raced. */
export function Raced({ runId, onEdit }: RacedProps) {
  const [known, setKnown] = useState(answered)
  if (known.includes(runId)) return null
  const keep = () => {
    const all = [...known, runId]
    localStorage.setItem(ANSWERED, JSON.stringify(all))
    setKnown(all)
  }
  return (
    <p>
      Was this raced? It’s much slower than your other races, so it doesn’t count for VO2max.{' '}
      <Button size="small" onClick={keep}>
        Yes, a slow race
      </Button>{' '}
      <Button kind="quiet" size="small" onClick={() => void onEdit({ runType: null })}>
        No, set no type
      </Button>
    </p>
  )
}

function answered(): readonly string[] {
  const stored: unknown = JSON.parse(localStorage.getItem(ANSWERED) ?? '[]')
  return Array.isArray(stored) ? stored : []
}
