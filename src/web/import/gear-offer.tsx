import type { Static } from '@sinclair/typebox'
import { useState } from 'preact/hooks'
import type { ShoesFromImport } from '../../features/shoes/schemas.ts'
import { api } from '../api.ts'
import { counted, number } from '../format.ts'
import { Link } from '../router.ts'
import { useResource } from '../state.ts'
import type { ShoeFound } from '../types.ts'
import { Button } from '../ui/button.tsx'
import './tray.css'

const PATH = '/shoes/from-import'
/** Storage key for names that the runner declined, in this browser. */
const DECLINED = 'harrier.gear'
/** With more names only their number is shown. */
const MOST_NAMES = 6

/**
 * Gear names of imported runs without a shoe, with one button that creates and assigns the shoes; nothing when there
 * are none.
 * @param props.names which names; absent: all except declined ones
 */
export function GearOffer({ names }: { readonly names?: readonly string[] }) {
  const { data } = useResource(PATH)
  const [isBusy, setBusy] = useState(false)
  const [result, setResult] = useState<{ readonly text: string; readonly isFault: boolean } | null>(null)
  const [declined, setDeclined] = useState(declinedNames)
  const open = (data ?? []).filter(({ name, runsWithoutShoe }) => {
    return runsWithoutShoe > 0 && (names === undefined ? !declined.includes(name) : names.includes(name))
  })
  const decline = () => {
    const all = [...declined, ...open.map(({ name }) => name)]
    localStorage.setItem(DECLINED, JSON.stringify(all))
    setDeclined(all)
  }
  const take = async () => {
    setBusy(true)
    try {
      const body = { names: open.map(({ name }) => name) }
      const { shoes } = await api.send('POST', PATH, body)
      setResult({ text: resultText(shoes), isFault: false })
    } catch (error) {
      setResult({ text: error instanceof Error ? error.message : String(error), isFault: true })
    }
    setBusy(false)
  }
  if (open.length === 0 && result === null) return null
  const isCreating = open.some(({ shoeId }) => shoeId === null)
  return (
    <div class="gear stack gap-2">
      {open.length > 0 && (
        <>
          <p>
            Found {counted(open.length, 'pair')} of shoes on{' '}
            {counted(
              open.reduce((sum, { runsWithoutShoe }) => sum + runsWithoutShoe, 0),
              'run',
            )}
            :
          </p>
          <p class="muted">{namesText(open)}</p>
          <div class="flow">
            <Button size="small" isBusy={isBusy} onClick={() => void take()}>
              {isCreating ? 'Create and assign' : 'Assign'}
            </Button>
            {names === undefined && (
              <Button kind="quiet" size="small" onClick={decline}>
                Don’t ask again
              </Button>
            )}
          </div>
        </>
      )}
      <p role="status" class={result?.isFault === true ? 'fault' : 'muted'}>
        {result?.text}
        {result?.isFault === false && names !== undefined && (
          <>
            {' '}
            <Link href="/app/shoes">Go to shoes</Link>
          </>
        )}
      </p>
    </div>
  )
}

function declinedNames(): readonly string[] {
  const stored: unknown = JSON.parse(localStorage.getItem(DECLINED) ?? '[]')
  return Array.isArray(stored) ? stored : []
}

function resultText(shoes: Static<typeof ShoesFromImport>['shoes']): string {
  const made = shoes.filter(({ created }) => created).length
  const assigned = counted(
    shoes.reduce((sum, shoe) => sum + shoe.runs, 0),
    'run',
  )
  return made === 0 ? `${assigned} assigned.` : `${counted(made, 'pair')} created, ${assigned} assigned.`
}

/** Such as `Hoka Clifton 9 (200), Brooks Ghost 7 (12)`, those with most runs first. */
function namesText(open: readonly ShoeFound[]): string {
  const sorted = open.toSorted((a, b) => b.runsWithoutShoe - a.runsWithoutShoe)
  const stated = sorted
    .slice(0, MOST_NAMES)
    .map(({ name, runsWithoutShoe }) => `${name}\u00a0(${number(runsWithoutShoe)})`)
  const more = open.length - stated.length
  return stated.join(', ') + (more > 0 ? ` and ${number(more)} more` : '')
}
