import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { PLACE_NAME_LENGTH } from '../../engine/limits.ts'
import { attempt, toastDone } from '../actions.ts'
import { api } from '../api.ts'
import { useSetting } from '../asked.ts'
import { counted, date, distance, runDay, runName, text, type Units } from '../format.ts'
import { Link } from '../router.ts'
import { useInk, useSize, withContext } from '../run/ink.ts'
import { drawGrid, drawScale } from '../run/map/map-drawing.ts'
import { metresPerPixel, type View } from '../run/map/projection.ts'
import { inNextFrame } from '../run/run-view.ts'
import { useResource, useUnits } from '../state.ts'
import { Button, Icon } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field, Form, Select, useFields } from '../ui/form.tsx'
import { Empty, Loaded } from '../ui/loaded.tsx'
import { Menu } from '../ui/menu.tsx'
import { toast } from '../ui/toast.tsx'
import { createHeatLayer } from './heat-layer.ts'
import { LEAST_RUNS, mapPath, type Place, pixelOf, viewAt } from './map-address.ts'
import './map.css'

const PLACE_ZOOM = 14

/** Where runs start: names, home, and what others don't see. */
export function PlacesPage() {
  const answer = useResource('/places')
  return (
    <div class="page places">
      <div class="page-head">
        <h1 tabIndex={-1}>Places</h1>
        <Link href="/app/map">Map</Link>
      </div>
      <Loaded of={answer} count={5} height="72px">
        {(data) => {
          const places = data.places.filter(({ id, runs }) => id !== null || runs >= LEAST_RUNS)
          return (
            <>
              {places.length === 0 ? (
                <div class="card">
                  <Empty icon="streets" title="No places yet">
                    Places where at least {LEAST_RUNS} of your runs start appear here.
                  </Empty>
                </div>
              ) : (
                <ul class="tiles gap-3 below-4">
                  {places.map((place) => (
                    <PlaceRow key={place.id ?? `${place.lat} ${place.lon}`} place={place} />
                  ))}
                </ul>
              )}
              <EndsSetting />
            </>
          )
        }}
      </Loaded>
    </div>
  )
}

function PlaceRow({ place }: { readonly place: Place }) {
  const units = useUnits()
  const [asked, setAsked] = useState<'name' | 'hide' | null>(null)
  const { id, name, suggested, lat, lon, runs, hideM, isHome } = place
  const title = name ?? suggested ?? `${lat.toFixed(3)}, ${lon.toFixed(3)}`
  const makeHome = () => attempt(() => api.send('PATCH', `/places/${id}`, { isHome: true }))
  const remove = () => attempt(async () => toastDone(`${title} deleted`, [await api.change('DELETE', `/places/${id}`)]))
  /** One tap takes the name that is suggested; it can be changed then. */
  const nameIt = () => {
    if (suggested === null) return setAsked('name')
    void attempt(async () => {
      await api.send('POST', '/places', { name: suggested, lat, lon })
      toast(`Named ${suggested}`)
    })
  }
  return (
    <li class="card place">
      <div class="flow">
        <h2 class={name === null ? 'large breaks muted' : 'large breaks'}>{title}</h2>
        {isHome && name !== 'Home' && <span class="muted small">Home</span>}
        {hideM !== null && (
          <span class="muted small">
            <Icon name="minus" /> Hidden: {text(distance(hideM, units, 1))} around it
          </span>
        )}
      </div>
      {id === null ? (
        <Button size="small" onClick={nameIt} aria-label={`Name it: ${title}`}>
          Name it
        </Button>
      ) : (
        <Menu
          label={`Actions for ${title}`}
          items={[
            { text: 'Rename…', icon: 'edit', onChoose: () => setAsked('name') },
            ...(isHome ? [] : [{ text: 'Make home', icon: 'star', onChoose: () => void makeHome() } as const]),
            { text: 'Hide from others…', icon: 'key', onChoose: () => setAsked('hide') },
            { text: 'Delete', icon: 'trash', isDangerous: true, onChoose: () => void remove() },
          ]}
        />
      )}
      <p class="whole muted small">
        {runs === 0 ? (
          'No runs start here'
        ) : (
          <>
            <Link href={mapPath({ time: '', type: '', shoe: '', layer: '' }, viewAt(place, PLACE_ZOOM))}>
              {counted(runs, 'run')}
            </Link>
            {` · ${text(distance(place.distanceM, units, 0))}`}
            {place.lastAt !== null && ` · last ${date(place.lastAt, 'short', place.lastUtcOffsetMinutes)}`}
          </>
        )}
      </p>
      {asked === 'name' && <NameDialog place={place} onClose={() => setAsked(null)} />}
      {asked === 'hide' && <HideDialog place={place} onClose={() => setAsked(null)} />}
    </li>
  )
}

/** Asks for the name of a place; what is suggested stands there already. */
function NameDialog({ place, onClose }: { readonly place: Place; readonly onClose: () => void }) {
  const { id, lat, lon } = place
  const { field, form } = useFields(
    { name: place.name ?? place.suggested ?? '' },
    {
      rules: { name: (typed) => (typed.trim() === '' ? 'Enter a name' : null) },
      send: async ({ name }) => {
        if (id === null) await api.send('POST', '/places', { name, lat, lon })
        else await api.send('PATCH', `/places/${id}`, { name })
        onClose()
      },
    },
  )
  return (
    <Dialog title={id === null ? 'Name this place' : 'Rename place'} onClose={onClose}>
      <Form {...form} action="Save" isPrimary onCancel={onClose}>
        <Field {...field('name')} label="Name" autofocus required maxLength={PLACE_NAME_LENGTH} placeholder="Home" />
      </Form>
    </Dialog>
  )
}

const CHOICES_M = [100, 200, 300, 500, 800, 1200, 2000] as const
const USUAL_M = 300
const LISTED = 5

/** Shows the circle that others won't see, and the runs that are trimmed for it, before it is stored. */
function HideDialog({ place, onClose }: { readonly place: Place; readonly onClose: () => void }) {
  const units = useUnits()
  const { id, name, lat, lon, hideM } = place
  const [radius, setRadius] = useState(String(hideM ?? USUAL_M))
  const { data, error } = useResource(`/map/hidden?lat=${lat}&lon=${lon}&hideM=${radius}&placeId=${id ?? ''}`)
  const save = async (hidden: number | null) => {
    await api.send('PATCH', `/places/${id ?? ''}`, { hideM: hidden })
    onClose()
  }
  return (
    <Dialog title={`Hide ${name ?? 'this place'} from others`} onClose={onClose} isWide>
      <Form action={hideM === null ? 'Hide' : 'Save'} isPrimary onSend={() => save(Number(radius))} onCancel={onClose}>
        <p class="muted">
          Shared runs and trimmed downloads hide this circle, and up to {text(distance(Number(radius) / 2, units, 2))}{' '}
          more where a run enters or leaves it. The place (the dot) is off the centre, so the circle doesn’t give it
          away. Your own pages, downloads and exports show everything.
        </p>
        <Select label="Radius" value={radius} options={radii(CHOICES_M, hideM ?? USUAL_M, units)} onValue={setRadius} />
        <HiddenMap place={place} centre={data?.hidden ?? null} radiusM={Number(radius)} />
        <div role="status">
          <p>
            <strong>
              {data === null ? (error?.message ?? 'Counting runs…') : `Trims ${counted(data.count, 'run')}`}
            </strong>
          </p>
          {data !== null && data.count > 0 && (
            <ul class="muted small">
              {data.runs.slice(0, LISTED).map((run) => (
                <li key={run.workoutId}>
                  {runDay(run)} · {runName(run)} · {text(distance(run.distanceM, units))}
                </li>
              ))}
              {data.count > LISTED && <li>and {data.count - LISTED} more</li>}
            </ul>
          )}
        </div>
        {hideM !== null && (
          <div class="actions start">
            <Button onClick={() => void attempt(() => save(null))}>Don’t hide</Button>
          </div>
        )}
      </Form>
    </Dialog>
  )
}

interface HiddenMapProps {
  readonly place: Spot
  /** Middle of the circle; null: not known yet. */
  readonly centre: Spot | null
  readonly radiusM: number
}

type Spot = Pick<Place, 'lat' | 'lon'>

/** Share of the height that the circle takes. */
const SHARE = 0.72

/** The circle that hides a place, over the heat map of all runs. */
function HiddenMap({ place, centre, radiusM }: HiddenMapProps) {
  const ink = useInk()
  const units = useUnits()
  const frame = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const size = useSize(frame)
  const latest = useRef(() => {})
  const drawLatest = useMemo(() => () => latest.current(), [])
  const schedule = () => inNextFrame(drawLatest)
  const heat = useMemo(() => createHeatLayer(() => '', schedule), [])
  useEffect(() => heat.stop, [])
  const { width = 0, height = 0 } = size ?? {}
  const start = viewAt(centre ?? place, 0)
  const radius = (SHARE * Math.min(width, height)) / 2
  const view: View = { ...start, scale: (start.scale * radius * metresPerPixel(start)) / radiusM }
  latest.current = () => {
    if (size === null) return
    withContext(canvas.current, size, (context) => {
      context.fillStyle = ink.ground
      context.fillRect(0, 0, width, height)
      drawGrid(context, ink, { view, size })
      heat.draw(context, { view, size }, ink)
      drawScale(context, { ink, units }, { view, size })
    })
  }
  useEffect(schedule, [size, ink, units, place.lat, place.lon, centre?.lat, centre?.lon, radiusM])
  const [x, y] = pixelOf(place, { view, size: { width, height } })
  return (
    <div
      class="hidden-map"
      ref={frame}
      role="img"
      aria-label={`A circle of ${radiusM} m with the place in it, off its centre, on the map of all runs`}
    >
      <canvas ref={canvas} />
      <svg fill={ink.text} stroke={ink.text} stroke-width={2} aria-hidden="true">
        {centre !== null && <circle cx="50%" cy="50%" r={radius} fill-opacity={0.18} stroke-dasharray="6 4" />}
        <circle cx={x} cy={y} r={6} stroke={ink.ground} />
      </svg>
    </div>
  )
}

const ENDS_M = [0, 100, 200, 400, 800, 1600] as const

/** How much of the ends of every run others don't see. */
function EndsSetting() {
  const units = useUnits()
  const { data, save } = useSetting('/settings/privacy')
  const now = data?.trimEndsM ?? 0
  return (
    <section class="card place-ends stack gap-2" aria-labelledby="ends">
      <h2 id="ends" class="large">
        What others see
      </h2>
      <Select
        label="Cut from the start and end of every run"
        value={String(now)}
        options={radii(ENDS_M, now, units)}
        onValue={(metres) => void save({ trimEndsM: Number(metres) })}
      />
      <p class="muted small">
        At least this much is cut, usually about twice as much, so that the cuts don’t give the start away. It applies
        to shared runs and trimmed downloads. Choose “Download trimmed GPX” from the menu of a run, or select runs in
        the list and download “Trimmed GPX”.
      </p>
    </section>
  )
}

/** Distances to choose from, with the one of now. */
function radii(usual: readonly number[], now: number, units: Units) {
  return [...new Set([...usual, now])]
    .sort((a, b) => a - b)
    .map((metres) => [String(metres), metres === 0 ? 'Nothing' : text(distance(metres, units, 1))] as const)
}
