import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { PLACE_NAME_LENGTH } from '../../engine/limits.ts'
import { toastDone } from '../actions.ts'
import { api, failureText } from '../api.ts'
import { useSetting } from '../asked.ts'
import { counted, date, distance, runDay, runName, text } from '../format.ts'
import { Link } from '../router.ts'
import { type Ink, useInk, useSize, withContext } from '../run/ink.ts'
import { drawGrid, drawScale } from '../run/map/map-drawing.ts'
import { metresPerPixel, type View } from '../run/map/projection.ts'
import { inNextFrame } from '../run/run-view.ts'
import { useResource, useUnits } from '../state.ts'
import { Button, Icon } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field, Form, Select, useFields, useSubmit } from '../ui/form.tsx'
import { Empty, Pending } from '../ui/loaded.tsx'
import { Menu } from '../ui/menu.tsx'
import { toast } from '../ui/toast.tsx'
import { createHeatLayer, type HeatLayer } from './heat-layer.ts'
import { LEAST_RUNS, mapPath, type Place, viewAt } from './map-address.ts'
import './map.css'

const PLACE_ZOOM = 14

/** Where runs start: names, home, and what others don't see. */
export function PlacesPage() {
  const { data, error } = useResource('/places')
  const [asked, setAsked] = useState<{ readonly what: 'name' | 'hide'; readonly place: Place } | null>(null)
  const places = (data?.places ?? []).filter(({ id, runs }) => id !== null || runs >= LEAST_RUNS)
  return (
    <div class="page places">
      <div class="page-head">
        <h1 tabIndex={-1}>Places</h1>
        <Link href="/app/map">Map</Link>
      </div>
      {data === null ? (
        <Pending error={error} count={5} height="72px" />
      ) : places.length === 0 ? (
        <div class="card">
          <Empty icon="streets" title="No places yet">
            Places where at least {LEAST_RUNS} of your runs start appear here.
          </Empty>
        </div>
      ) : (
        <ul class="tiles gap-3 below-4">
          {places.map((place) => (
            <PlaceRow
              key={place.id ?? `${place.lat} ${place.lon}`}
              place={place}
              onName={() => {
                if (place.id === null && place.suggested !== null) void nameAs(place.suggested, place)
                else setAsked({ what: 'name', place })
              }}
              onHide={() => setAsked({ what: 'hide', place })}
            />
          ))}
        </ul>
      )}
      {data !== null && <EndsSetting />}
      {asked?.what === 'name' && <NameDialog place={asked.place} onClose={() => setAsked(null)} />}
      {asked?.what === 'hide' && <HideDialog place={asked.place} onClose={() => setAsked(null)} />}
    </div>
  )
}

interface PlaceRowProps {
  readonly place: Place
  readonly onName: () => void
  readonly onHide: () => void
}

function PlaceRow({ place, onName, onHide }: PlaceRowProps) {
  const units = useUnits()
  const { id, name, runs, hideM, isHome } = place
  const title = name ?? suggestionOf(place)
  return (
    <li class="card place">
      <div class="flow">
        <h2 class={name === null ? 'muted' : ''}>{title}</h2>
        {isHome && name !== 'Home' && <span class="muted small">Home</span>}
        {hideM !== null && (
          <span class="muted small">
            <Icon name="minus" /> Hidden: {text(distance(hideM, units, 1))} around it
          </span>
        )}
      </div>
      <div class="place-actions level gap-2">
        {id === null ? (
          <Button size="small" onClick={onName} aria-label={`Name it: ${title}`}>
            Name it
          </Button>
        ) : (
          <Menu
            label={`Actions for ${title}`}
            items={[
              { text: 'Rename…', icon: 'edit', onChoose: onName },
              ...(isHome ? [] : [{ text: 'Make home', icon: 'star', onChoose: () => void makeHome(id) } as const]),
              { text: 'Hide from others…', icon: 'key', onChoose: onHide },
              { text: 'Delete', icon: 'trash', isDangerous: true, onChoose: () => void remove(id, title) },
            ]}
          />
        )}
      </div>
      <p class="muted small">
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
    </li>
  )
}

function suggestionOf({ suggested, lat, lon }: Place): string {
  return suggested ?? `${lat.toFixed(3)}, ${lon.toFixed(3)}`
}

/** One tap takes the name that is suggested; it can be changed then. */
async function nameAs(name: string, { lat, lon }: Place): Promise<void> {
  try {
    await api.send('POST', '/places', { name, lat, lon })
    toast(`Named ${name}`)
  } catch (error) {
    toast(failureText(error))
  }
}

async function makeHome(id: string): Promise<void> {
  try {
    await api.send('PATCH', `/places/${id}`, { isHome: true })
  } catch (error) {
    toast(failureText(error))
  }
}

async function remove(id: string, title: string): Promise<void> {
  try {
    toastDone(`${title} deleted`, [await api.change('DELETE', `/places/${id}`)])
  } catch (error) {
    toast(failureText(error))
  }
}

/** Asks for the name of a place; what is suggested stands there already. */
export function NameDialog({ place, onClose }: { readonly place: Place; readonly onClose: () => void }) {
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
export function HideDialog({ place, onClose }: { readonly place: Place; readonly onClose: () => void }) {
  const units = useUnits()
  const { id, name, lat, lon, hideM } = place
  const [radius, setRadius] = useState(String(hideM ?? USUAL_M))
  const { data, error } = useResource(`/map/hidden?lat=${lat}&lon=${lon}&hideM=${radius}&placeId=${id ?? ''}`)
  const save = (hidden: number | null) => async () => {
    await api.send('PATCH', `/places/${id ?? ''}`, { hideM: hidden })
    onClose()
  }
  const hiding = useSubmit(save(Number(radius)))
  const showing = useSubmit(save(null))
  const fault = hiding.fault ?? showing.fault
  const options = [...new Set([...CHOICES_M, hideM ?? USUAL_M])]
    .sort((a, b) => a - b)
    .map((metres) => [String(metres), text(distance(metres, units, 1))] as const)
  return (
    <Dialog title={`Hide ${name ?? 'this place'} from others`} onClose={onClose} isWide>
      <form class="hide-place stack gap-3" onSubmit={(event) => void hiding.submit(event)}>
        <p class="muted">
          Trimmed downloads hide this circle, and up to {text(distance(Number(radius) / 2, units, 2))} more where a run
          enters or leaves it. The place (the dot) is off the centre, so the circle doesn’t give it away. Your own
          pages, downloads and exports show everything.
        </p>
        <Select label="Radius" value={radius} options={options} onValue={setRadius} />
        <HiddenMap place={place} centre={data?.hidden ?? null} radiusM={Number(radius)} />
        <div role="status">
          <p>
            <strong>
              {data === null ? (error?.message ?? 'Counting runs…') : `Trims ${counted(data.count, 'run')}`}
            </strong>
          </p>
          {data !== null && data.count > 0 && (
            <ul class="plain muted small">
              {data.runs.slice(0, LISTED).map((run) => (
                <li key={run.workoutId}>
                  {runDay(run)} · {runName(run)} · {text(distance(run.distanceM, units))}
                </li>
              ))}
              {data.count > LISTED && <li>and {data.count - LISTED} more</li>}
            </ul>
          )}
        </div>
        {fault !== null && (
          <p class="fault" role="alert">
            {fault}
          </p>
        )}
        <div class="actions">
          {hideM !== null && (
            <Button isBusy={showing.isBusy} onClick={(event: Event) => void showing.submit(event)}>
              Don’t hide
            </Button>
          )}
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={hiding.isBusy}>
            {hideM === null ? 'Hide' : 'Save'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

interface Spot {
  readonly lat: number
  readonly lon: number
}

interface HiddenMapProps {
  readonly place: Spot
  /** Middle of the circle; null: not known yet. */
  readonly centre: Spot | null
  readonly radiusM: number
}

/** Share of the height that the circle takes. */
const SHARE = 0.72

/** The circle that hides a place, over the heat map of all runs. */
export function HiddenMap({ place, centre, radiusM }: HiddenMapProps) {
  const ink = useInk()
  const units = useUnits()
  const frame = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const size = useSize(frame)
  const heat = useRef<HeatLayer | null>(null)
  const latest = useRef(() => {})
  const drawLatest = useMemo(() => () => latest.current(), [])
  const schedule = () => inNextFrame(drawLatest)
  useEffect(() => {
    const made = createHeatLayer(() => '', { onTile: schedule, onTrouble: () => {} })
    heat.current = made
    schedule()
    return () => made.stop()
  }, [])
  latest.current = () => {
    if (size === null) return
    const start = viewAt(centre ?? place, 0)
    const wantedPx = (SHARE * Math.min(size.width, size.height)) / 2
    const view: View = { ...start, scale: (start.scale * wantedPx * metresPerPixel(start)) / radiusM }
    withContext(canvas.current, size, (context) => {
      context.fillStyle = ink.ground
      context.fillRect(0, 0, size.width, size.height)
      drawGrid(context, ink, { view, size })
      heat.current?.draw(context, { view, size }, ink)
      if (centre !== null) drawCircle(context, ink, { x: size.width / 2, y: size.height / 2, radius: wantedPx })
      const at = viewAt(place, 0)
      drawDot(context, ink, {
        x: size.width / 2 + (at.x - view.x) * view.scale,
        y: size.height / 2 + (at.y - view.y) * view.scale,
      })
      drawScale(context, { ink, units }, { view, size })
    })
  }
  useEffect(schedule, [size, ink, units, place.lat, place.lon, centre?.lat, centre?.lon, radiusM])
  return (
    <div
      class="hidden-map"
      ref={frame}
      role="img"
      aria-label={`A circle of ${radiusM} m with the place in it, off its centre, on the map of all runs`}
    >
      <canvas ref={canvas} />
    </div>
  )
}

interface Pixel {
  readonly x: number
  readonly y: number
}

function drawCircle(
  context: CanvasRenderingContext2D,
  ink: Ink,
  { x, y, radius }: Pixel & { readonly radius: number },
) {
  context.beginPath()
  context.arc(x, y, radius, 0, 2 * Math.PI)
  context.globalAlpha = 0.18
  context.fillStyle = ink.text
  context.fill()
  context.globalAlpha = 1
  context.lineWidth = 2
  context.strokeStyle = ink.text
  context.setLineDash([6, 4])
  context.stroke()
  context.setLineDash([])
}

function drawDot(context: CanvasRenderingContext2D, ink: Ink, { x, y }: Pixel) {
  context.beginPath()
  context.arc(x, y, 6, 0, 2 * Math.PI)
  context.fillStyle = ink.text
  context.fill()
  context.strokeStyle = ink.ground
  context.lineWidth = 2
  context.stroke()
}

const ENDS_M = [0, 100, 200, 400, 800, 1600] as const

/** How much of the ends of every run others don't see. */
export function EndsSetting() {
  const units = useUnits()
  const { data, save } = useSetting('/settings/privacy')
  const now = data?.trimEndsM ?? 0
  const options = [...new Set([...ENDS_M, now])]
    .sort((a, b) => a - b)
    .map((metres) => [String(metres), metres === 0 ? 'Nothing' : text(distance(metres, units, 1))] as const)
  return (
    <section class="card place-ends stack gap-2" aria-labelledby="ends">
      <h2 id="ends">What others see</h2>
      <Select
        label="Cut from the start and end of every run"
        value={String(now)}
        options={options}
        onValue={(metres) => void save({ trimEndsM: Number(metres) })}
      />
      <p class="muted small">
        At least this much is cut, usually about twice as much, so that the cuts don’t give the start away. It applies
        to trimmed downloads. Choose “Download trimmed GPX” from the menu of a run, or select runs in the list and
        download “Trimmed GPX”.
      </p>
    </section>
  )
}
