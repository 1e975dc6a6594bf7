import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { DropZone } from '../../import/drop-zone.tsx'
import { Link, navigate, useRoute } from '../../router.ts'
import { useResource } from '../../state.ts'
import { Icon } from '../../ui/icon.tsx'
import { TERMS } from '../../words.ts'
import { ApiKeys, KeepSetting, LogOutOthers, MapSetting, PasswordForm, WeatherSetting } from './access.tsx'
import { Archive, BackupState, FilesNotice, Recalculate } from './data.tsx'
import { Phone, SyncSetting, WatchFolderSettings } from './runs-in.tsx'
import { TrainingProfileSettings, UnitsAndTheme, ZonesSettings } from './you.tsx'
import '../forms.css'
import './settings.css'

/** The pages by the end of their address, with their sections; a link to a section leads to its page. */
const PAGES = [
  ['you', 'You', ['units', 'zones', 'training']],
  ['runs-in', 'Getting runs in', ['import', 'phone', 'watch', 'sync']],
  ['data', 'Your data', ['archive', 'backups', 'history', 'recalculate']],
  ['access', 'Access and privacy', ['password', 'privacy', 'keys']],
  ['about', 'About', []],
] as const
type Page = (typeof PAGES)[number][0]

const BODIES: Readonly<Record<Page, () => ComponentChildren>> = {
  you: () => (
    <>
      <Section id="units" title="Units and theme">
        <UnitsAndTheme />
      </Section>
      <Section id="zones" title={TERMS.heartRateZones} about="Zones set how hard your runs count.">
        <ZonesSettings />
      </Section>
      <Section
        isWide
        id="training"
        title="Training profile"
        about="Loads and predictions are based on these values. Empty values carry over, or come from your zones and runs."
      >
        <TrainingProfileSettings />
      </Section>
    </>
  ),
  'runs-in': () => (
    <>
      <Section id="import" title="Import">
        <DropZone />
      </Section>
      <Section id="phone" title="Phone" about="Send runs from your phone automatically.">
        <Phone />
      </Section>
      <Section id="watch" title="Watch folder" about="New files in a folder are imported automatically, each once.">
        <WatchFolderSettings />
      </Section>
      <Section id="sync" title="Sync" about="New runs are imported automatically.">
        <SyncSetting />
      </Section>
    </>
  ),
  data: () => (
    <>
      <FilesNotice />
      <Section
        id="archive"
        title="Export and restore"
        about="Everything in one ZIP: runs with original files, photos, shoes, records and settings. You can restore it here or elsewhere."
      >
        <Archive />
      </Section>
      <Section id="backups" title="Backups">
        <BackupState />
      </Section>
      <Section
        id="history"
        title="History and trash"
        about="See what was changed or deleted. You can undo most of it for a while."
      >
        <div class="actions start">
          <Link class="button" href="/app/history">
            <Icon name="clock" /> History
          </Link>
          <Link class="button" href="/app/trash">
            <Icon name="trash" /> Trash
          </Link>
        </div>
      </Section>
      <Section id="recalculate" title="Recalculate" about="Harrier keeps these up to date automatically.">
        <Recalculate />
      </Section>
    </>
  ),
  access: () => (
    <>
      <Section
        id="password"
        title="Password and devices"
        about="A new password logs out all other devices. API keys stay valid."
      >
        <PasswordForm />
        <LogOutOthers />
      </Section>
      <Section id="privacy" title="Privacy" about="Apart from this, nothing leaves this machine.">
        <div class="stack gap-4">
          <WeatherSetting />
          <MapSetting />
          <KeepSetting />
        </div>
      </Section>
      <Section
        isWide
        id="keys"
        title="API keys"
        about="For scripts and other programs. A key can’t create keys or change the password."
      >
        <ApiKeys />
      </Section>
    </>
  ),
  about: () => (
    <Section isWide id="about" title="About">
      <About />
    </Section>
  ),
}

/** Five pages of settings, and rarely used tools. */
export function Settings() {
  const { path } = useRoute()
  const named = PAGES.find(([page]) => path.endsWith(`/${page}`))
  const [page] = named ?? PAGES[0]
  useEffect(() => {
    const anchor = location.hash.slice(1)
    const home = PAGES.find(([name, , sections]) => name === anchor || sections.some((id) => id === anchor))
    // an older address, when all settings were one page
    if (named === undefined && home !== undefined && home[0] !== page) {
      return navigate(`/app/settings/${home[0]}#${anchor}`, { replace: true })
    }
    // the browser does not scroll to the target of a link from another view
    document.getElementById(anchor)?.scrollIntoView()
  }, [path])
  return (
    <div class="page settings">
      <div class="page-head">
        <h1 tabIndex={-1}>Settings</h1>
      </div>
      <nav aria-label="Settings" class="settings-tabs">
        {PAGES.map(([name, title]) => (
          <Link
            key={name}
            href={`/app/settings/${name}`}
            {...(name === page ? { 'aria-current': 'page' as const } : {})}
          >
            {title}
          </Link>
        ))}
      </nav>
      <div class="settings-list settings-pairs stack gap-4" key={page}>
        {BODIES[page]()}
      </div>
    </div>
  )
}

interface SectionProps {
  readonly id: string
  readonly title: string
  readonly about?: string
  /** It takes both columns of a wide page. */
  readonly isWide?: boolean
  readonly children: ComponentChildren
}

function Section({ id, title, about, isWide = false, children }: SectionProps) {
  return (
    <section class={isWide ? 'card wide' : 'card'} id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {about !== undefined && <p class="muted small section-about">{about}</p>}
      <div class="section-body">{children}</div>
    </section>
  )
}

function About() {
  const { data } = useResource('/version')
  const commit = data === null || data.gitCommit === 'unknown' ? '' : ` (${data.gitCommit.slice(0, 8)})`
  return (
    <div class="prose stack">
      <p>
        <strong>Harrier</strong> {data === null ? '' : `${data.version}${commit}`}
      </p>
      <p>
        Your own programs can do everything this page does: <a href="/swagger">API reference</a>.
      </p>
    </div>
  )
}
