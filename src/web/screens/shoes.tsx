import { useState } from 'preact/hooks'
import { LENGTHS } from '../../base/texts.ts'
import { MOST_WORN_M, RETIRE_AT_M } from '../../engine/limits.ts'
import { isWorn, shoeLife } from '../../engine/training/proposals.ts'
import { METRES_PER_MILE } from '../../engine/units.ts'
import { attempt, toastDone } from '../actions.ts'
import { api } from '../api.ts'
import { counted, date, distance, distanceUnit, number, pace, text, type Units, unitLengthM } from '../format.ts'
import { useImports } from '../import/queue.ts'
import { GearOffer } from '../import/tray.tsx'
import { Link } from '../router.ts'
import { shoeName } from '../run-fields.tsx'
import { useResource, useUnits } from '../state.ts'
import type { Shoe } from '../types.ts'
import { Button, Icon } from '../ui/button.tsx'
import { Facts } from '../ui/card.tsx'
import { Confirm, Dialog } from '../ui/dialog.tsx'
import { Field, Form, useFields } from '../ui/form.tsx'
import { Empty, Pending } from '../ui/loaded.tsx'
import { Menu } from '../ui/menu.tsx'
import { toast } from '../ui/toast.tsx'
import { offsetQuery } from './stats.ts'
import './later.css'

const DEFAULT_SHOE = '/settings/default-shoe'

type Asked = { readonly kind: 'new' } | { readonly kind: 'edit' | 'delete'; readonly shoe: Shoe }

/** The shoes with their mileage, and the default shoe. */
export function Shoes() {
  const { data, error } = useResource('/shoes')
  const chosen = useResource(DEFAULT_SHOE)
  const proposals = useResource(`/training/proposals?${offsetQuery()}`).data ?? []
  const [asked, setAsked] = useState<Asked | null>(null)
  // the import tray offers the shoes while it is visible
  const isOffered = useImports().some(({ gear }) => gear.length > 0)
  const close = () => setAsked(null)
  const defaultId = chosen.data?.defaultShoeId ?? null
  const shoes = data ?? []
  const retired = shoes
    .filter(({ retiredAt }) => retiredAt !== null)
    .toSorted((a, b) => (b.retiredAt ?? '').localeCompare(a.retiredAt ?? ''))
  // the default pair first, then those of the latest runs
  const rank = ({ id, lastRun }: Shoe) => (id === defaultId ? 'z' : (lastRun?.startedAt ?? ''))
  const worn = shoes.filter(({ retiredAt }) => retiredAt === null).toSorted((a, b) => rank(b).localeCompare(rank(a)))
  const cards = (some: readonly Shoe[]) => (
    <ul class="tiles gap-3">
      {some.map((shoe) => (
        <ShoeCard
          key={shoe.id}
          shoe={shoe}
          defaultId={defaultId}
          proposal={proposals.find(({ shoeId }) => shoeId === shoe.id)?.id ?? null}
          onEdit={() => setAsked({ kind: 'edit', shoe })}
          onDelete={() => setAsked({ kind: 'delete', shoe })}
        />
      ))}
    </ul>
  )
  const remove = async (shoe: Shoe) =>
    toastDone(`${shoeName(shoe)} deleted`, [await api.change('DELETE', `/shoes/${shoe.id}`)])
  const add = (isOnly: boolean) => (
    <Button {...(isOnly ? { kind: 'primary' } : {})} icon="plus" onClick={() => setAsked({ kind: 'new' })}>
      Add shoes
    </Button>
  )
  return (
    <div class="page shoes">
      <div class="page-head">
        <h1 tabIndex={-1}>Shoes</h1>
        {shoes.length > 0 && add(false)}
      </div>
      {!isOffered && <GearOffer />}
      {data === null ? (
        <Pending error={error} count={3} height="188px" />
      ) : shoes.length === 0 ? (
        <div class="card">
          <Empty icon="shoes" title="No shoes yet" action={add(true)}>
            Add your running shoes. New runs get the default pair.
          </Empty>
        </div>
      ) : (
        <>
          <h2 class="hidden-text">In use</h2>
          {worn.length > 0 && cards(worn)}
          {retired.length > 0 && (
            <section style={{ marginTop: 'var(--space-6)' }}>
              <h2 class="large below-3">Retired</h2>
              {cards(retired)}
            </section>
          )}
        </>
      )}
      {asked !== null && asked.kind !== 'delete' && (
        <ShoeDialog shoe={asked.kind === 'edit' ? asked.shoe : null} onClose={close} />
      )}
      {asked?.kind === 'delete' && (
        <Confirm
          title={`Delete ${shoeName(asked.shoe)}?`}
          action="Delete"
          onConfirm={() => remove(asked.shoe)}
          onClose={close}
        >
          <p class="muted">Your runs stay. Runs with these shoes will have none.</p>
        </Confirm>
      )}
    </div>
  )
}

interface ShoeCardProps {
  readonly shoe: Shoe
  readonly defaultId: string | null
  /** Id of the proposal to retire it; null: none is made. */
  readonly proposal: string | null
  readonly onEdit: () => void
  readonly onDelete: () => void
}

function ShoeCard({ shoe, defaultId, proposal, onEdit, onDelete }: ShoeCardProps) {
  const units = useUnits()
  const { id, retireAtM, retiredAt } = shoe
  const name = shoeName(shoe)
  const isDefault = id === defaultId
  const wornM = mileageM(shoe)
  const { lifeM } = shoeLife(retireAtM)
  const isRetired = retiredAt !== null
  const setDefault = (defaultShoeId: string | null) => api.send('PUT', DEFAULT_SHOE, { defaultShoeId })
  const retire = (at: string | null) => api.send('PATCH', `/shoes/${id}`, { retiredAt: at })
  const toggleDefault = () =>
    done(setDefault(isDefault ? null : id), isDefault ? 'No default shoes' : `New runs get ${name}`)
  const keep = () =>
    done(api.send('POST', `/training/proposals/${proposal ?? ''}`, { accept: false }), `${name} stays in use`)
  const bringBack = () => done(retire(null), `${name} is in use again`)
  const undoRetire = () =>
    done(
      retire(null).then(() => (isDefault ? setDefault(id) : undefined)),
      'Undone',
    )
  const retireNow = () => done(retire(new Date().toISOString()), `${name} retired`, { label: 'Undo', run: undoRetire })
  return (
    <li class={`card shoe ${isRetired ? 'retired' : ''}`}>
      <div class="shoe-name flow">
        <h3 class="large breaks">
          <span class="muted">{shoe.brand}</span> {shoe.model}
        </h3>
        {isDefault && (
          <span class="badge">
            <Icon name="star" /> Default
          </span>
        )}
        {isRetired && <span class="muted small">Retired {date(retiredAt)}</span>}
      </div>
      <Menu
        label={`Actions for ${name}`}
        items={[
          ...(isRetired
            ? [{ text: 'Use again', icon: 'undo', onChoose: bringBack } as const]
            : [
                {
                  text: isDefault ? 'No longer default' : 'Make default',
                  icon: 'star',
                  onChoose: toggleDefault,
                } as const,
                { text: 'Retire', icon: 'check', onChoose: retireNow } as const,
              ]),
          { text: 'Edit', icon: 'edit', onChoose: onEdit },
          { text: 'Delete', icon: 'trash', isDangerous: true, onChoose: onDelete },
        ]}
      />
      <p class="shoe-sum">
        <strong>{number(wornM / unitLengthM(units), 0)}</strong>{' '}
        <span class="muted">
          {!isRetired && `of ${retireAtM === null ? 'about ' : ''}${number(lifeM / unitLengthM(units), 0)} `}
          {distanceUnit(units)}
        </span>
      </p>
      {proposal !== null && (
        <div class="push flow">
          <Button size="small" aria-label={`Retire ${name}`} onClick={retireNow}>
            Retire
          </Button>
          <Button size="small" kind="quiet" aria-label={`Keep ${name}`} onClick={keep}>
            Keep
          </Button>
        </div>
      )}
      <Wear shoe={shoe} wornM={wornM} />
      <RunFacts shoe={shoe} />
    </li>
  )
}

/** Reports a change of shoes. */
function done(change: Promise<unknown>, words: string, action?: Parameters<typeof toast>[1]): void {
  void attempt(() => change.then(() => toast(words, action)))
}

/** Wear against the limit of the pair, or the usual one. The start is drawn paler. */
function Wear({ shoe: { retireAtM, initialMileageM, retiredAt }, wornM }: { shoe: Shoe; wornM: number }) {
  const units = useUnits()
  const { lifeM: endM } = shoeLife(retireAtM)
  const leftM = endM - wornM
  const paint = leftM < 0 ? 'var(--bad)' : isWorn(wornM, endM) ? 'var(--accent-2)' : 'var(--accent)'
  const percent = (metres: number) => `${Math.min(1, Math.max(0, metres / endM)) * 100}%`
  const startM = initialMileageM ?? 0
  const limitWords =
    leftM < 0
      ? `${text(distance(-leftM, units, 0))} over ${retireAtM === null ? 'the usual' : 'its'} limit`
      : `${text(distance(leftM, units, 0))} left`
  const words = [
    ...(retiredAt !== null ? [] : [limitWords]),
    ...(startM > 0 ? [`${text(distance(startM, units, 0))} starting distance`] : []),
  ]
  return (
    <div class="whole">
      {retiredAt === null && (
        <div class="shoe-bar" aria-hidden="true">
          <span style={{ width: percent(wornM), background: paint }}>
            {startM > 0 && <b style={{ width: `${(startM / wornM) * 100}%` }} />}
          </span>
        </div>
      )}
      <p class="muted small">{words.join(' · ')}</p>
    </div>
  )
}

/** Its runs with a link to them, their pace, and the first and the last one. */
function RunFacts({ shoe }: { readonly shoe: Shoe }) {
  const units = useUnits()
  const { id, runs, avgPaceS, firstRun, lastRun } = shoe
  const ofRun = (run: Shoe['firstRun']) =>
    run && <Link href={`/app/runs/${run.id}?shoe=${id}`}>{date(run.startedAt, 'short', run.utcOffsetMinutes)}</Link>
  const facts = [
    ['Runs', runs === 0 ? 'None yet' : <Link href={`/app/runs?shoe=${id}`}>{counted(runs, 'run')}</Link>],
    ['Average pace', avgPaceS === null ? null : text(pace(avgPaceS, units))],
    ['First run', ofRun(firstRun)],
    ['Last run', runs > 1 ? ofRun(lastRun) : null],
  ] as const
  return <Facts of={facts} class="shoe-facts whole small above-2" />
}

function mileageM({ totalMileage, unit }: Shoe): number {
  return totalMileage * (unit === 'km' ? 1000 : METRES_PER_MILE)
}

/** @param props.shoe null: a new pair */
function ShoeDialog({ shoe, onClose }: { readonly shoe: Shoe | null; readonly onClose: () => void }) {
  const units = useUnits()
  const [least, most] = RETIRE_AT_M
  const lengthRule = (from: number, to: number, fault: string) => (typed: string) => {
    const metres = metresOf(typed, units)
    return metres === null || (metres >= from && metres <= to) ? null : fault
  }
  const { field, form } = useFields(
    {
      brand: shoe?.brand ?? '',
      model: shoe?.model ?? '',
      worn: typedLength(shoe?.initialMileageM ?? null, units),
      limit: typedLength(shoe?.retireAtM ?? null, units),
    },
    {
      rules: {
        worn: lengthRule(0, MOST_WORN_M, `Enter 0 to ${text(distance(MOST_WORN_M, units, 0))}`),
        limit: lengthRule(least, most, `At least ${text(distance(least, units, 1))}`),
      },
      send: async ({ brand, model, worn, limit }) => {
        const body = { brand, model, initialMileageM: metresOf(worn, units), retireAtM: metresOf(limit, units) }
        if (shoe === null) await api.send('POST', '/shoes', body)
        else await api.send('PATCH', `/shoes/${shoe.id}`, body)
        onClose()
      },
    },
  )
  const length = { inputMode: 'decimal', suffix: distanceUnit(units) } as const
  return (
    <Dialog title={shoe === null ? 'Add shoes' : 'Edit shoes'} onClose={onClose}>
      <Form {...form} action={shoe === null ? 'Add' : 'Save'} isPrimary onCancel={onClose}>
        <Field {...field('brand')} label="Brand" autofocus required maxLength={LENGTHS.shoe} placeholder="Hoka" />
        <Field {...field('model')} label="Model" required maxLength={LENGTHS.shoe} placeholder="Clifton 9" />
        <Field {...field('worn')} {...length} label="Starting distance" hint="Leave empty for a new pair" />
        <Field
          {...field('limit')}
          {...length}
          label="Retire at"
          hint={`Empty: the usual ${text(distance(shoeLife(null).lifeM, units, 0))}`}
        />
      </Form>
    </Dialog>
  )
}

/** Two decimals suffice for the mileage of used shoes. */
function typedLength(metres: number | null, units: Units): string {
  return metres === null ? '' : String(Math.round((metres / unitLengthM(units)) * 100) / 100)
}

/** null: nothing was typed; NaN: no number was. */
function metresOf(typed: string, units: Units): number | null {
  return typed.trim() === '' ? null : Number(typed.replace(',', '.')) * unitLengthM(units)
}
