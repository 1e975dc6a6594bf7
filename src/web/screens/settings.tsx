import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Units } from '../format.ts'
import { DropZone } from '../import/drop-zone.tsx'
import { Link } from '../router.ts'
import { saveUnits, type Theme, useResource, useTheme, useUnits } from '../state.ts'
import { Button } from '../ui/button.tsx'
import { Segments } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'
import { Lazy } from '../ui/lazy.tsx'
import { SkeletonLines } from '../ui/spinner.tsx'
import { toast } from '../ui/toast.tsx'
import { TERMS } from '../words.ts'
import { ApiKeys } from './settings/api-keys.tsx'
import { Archive } from './settings/archive.tsx'
import { BackupState } from './settings/backup-state.tsx'
import { FilesNotice } from './settings/files-notice.tsx'
import { KeepSetting } from './settings/keep-setting.tsx'
import { LogOutOthers } from './settings/log-out-others.tsx'
import { MapSetting } from './settings/map-setting.tsx'
import { PaceSetting } from './settings/pace-setting.tsx'
import { PasswordForm } from './settings/password-form.tsx'
import { Recalculate } from './settings/recalculate.tsx'
import { SyncSetting } from './settings/sync-setting.tsx'
import { TrainingProfileSettings } from './settings/training-profile.tsx'
import { WatchFolderSettings } from './settings/watch-folder.tsx'
import { WeatherSetting } from './settings/weather-setting.tsx'
import { ZonesSettings } from './settings/zones-settings.tsx'
import { UnitsChoice } from './units-choice.tsx'
import './forms.css'
import './settings/settings.css'

const SECTIONS = [
  ['units', 'Units and theme'],
  ['zones', TERMS.heartRateZones],
  ['training', 'Training profile'],
  ['import', 'Import'],
  ['phone', 'Phone'],
  ['watch', 'Watch folder'],
  ['sync', 'Sync'],
  ['archive', 'Export and restore'],
  ['backups', 'Backups'],
  ['history', 'History and trash'],
  ['recalculate', 'Recalculate'],
  ['password', 'Password and devices'],
  ['keys', 'API keys'],
  ['about', 'Privacy and about'],
] as const

const loadPhone = () => import('./settings/phone/phone.tsx').then(({ Phone }) => Phone)
const waitingPhone = (failure: string | null) => {
  return failure === null ? <SkeletonLines count={5} height="57px" /> : <p class="muted">{failure}</p>
}

/** All settings, and rarely used tools. */
export function Settings() {
  // scrolls to the target of a link from another view, which the browser does not do automatically
  useEffect(() => document.getElementById(location.hash.slice(1))?.scrollIntoView(), [])
  return (
    <div class="page settings">
      <div class="page-head">
        <h1 tabIndex={-1}>Settings</h1>
      </div>
      <div class="settings-columns">
        <nav aria-label="Settings" class="settings-nav">
          {SECTIONS.map(([id, name]) => (
            <a key={id} href={`#${id}`}>
              {name}
            </a>
          ))}
        </nav>
        <div class="settings-list stack gap-4">
          <FilesNotice />
          <Section id="units">
            <UnitsAndTheme />
          </Section>
          <Section id="zones" about="Zones set the relative effort of your runs.">
            <ZonesSettings />
          </Section>
          <Section
            id="training"
            about="Loads and predictions are based on these values. Each run uses the values of its day, so changes from today don’t affect older runs. Empty values carry over, or come from your zones and runs."
          >
            <TrainingProfileSettings />
          </Section>
          <Section id="import">
            <DropZone />
          </Section>
          <Section id="phone" about="Send runs from your phone automatically.">
            <Lazy load={loadPhone} props={{}} waiting={waitingPhone} />
          </Section>
          <Section id="watch" about="New files in a folder are imported automatically, each once.">
            <WatchFolderSettings />
          </Section>
          <Section id="sync" about="New runs are imported automatically.">
            <SyncSetting />
          </Section>
          <Section
            id="archive"
            about="Everything in one ZIP: runs with original files, photos, shoes, records and settings. You can restore it here or elsewhere."
          >
            <Archive />
          </Section>
          <Section id="backups">
            <BackupState />
          </Section>
          <Section id="history" about="See what was changed or deleted. You can undo most of it for a while.">
            <div class="actions start">
              <Link class="button" href="/app/history">
                <Icon name="clock" /> History
              </Link>
              <Link class="button" href="/app/trash">
                <Icon name="trash" /> Trash
              </Link>
            </div>
          </Section>
          <Section id="recalculate" about="Harrier keeps these up to date automatically.">
            <Recalculate />
          </Section>
          <Section id="password" about="A new password logs out all other devices. API keys stay valid.">
            <PasswordForm />
            <LogOutOthers />
          </Section>
          <Section id="keys" about="For scripts and other programs. A key can’t create keys or change the password.">
            <ApiKeys />
          </Section>
          <Section id="about">
            <About />
          </Section>
        </div>
      </div>
    </div>
  )
}

interface SectionProps {
  readonly id: (typeof SECTIONS)[number][0]
  readonly about?: string
  readonly children: ComponentChildren
}

function Section({ id, about, children }: SectionProps) {
  const title = SECTIONS.find(([known]) => known === id)?.[1]
  return (
    <section class="card" id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {about !== undefined && <p class="muted small section-about">{about}</p>}
      <div class="section-body">{children}</div>
    </section>
  )
}

function UnitsAndTheme() {
  const units = useUnits()
  const { theme, setTheme } = useTheme()
  const choose = (chosen: Units) => {
    saveUnits(chosen).catch((error: Error) => toast(error.message))
  }
  return (
    <div class="rows">
      <div class="row">
        <span>Units</span>
        <UnitsChoice value={units} onValue={choose} />
      </div>
      <PaceSetting />
      <div class="row">
        <span>Theme</span>
        <Segments<Theme>
          legend="Theme"
          value={theme}
          options={[
            ['system', 'System'],
            ['light', 'Light'],
            ['dark', 'Dark'],
          ]}
          onValue={setTheme}
        />
      </div>
    </div>
  )
}

function About() {
  const { data } = useResource('/version')
  const [isCopied, setCopied] = useState(false)
  const version =
    data === null ? '' : `${data.version}${data.gitCommit === 'unknown' ? '' : ` (${data.gitCommit.slice(0, 8)})`}`
  const copy = async () => {
    await navigator.clipboard.writeText(`Harrier ${version}`)
    setCopied(true)
  }
  return (
    <div class="prose stack">
      <div class="switches stack gap-4">
        <WeatherSetting />
        <MapSetting />
        <KeepSetting />
      </div>
      <p>Nothing else leaves this machine.</p>
      <p>
        <strong>API.</strong> Your own programs can do everything this page does: <a href="/swagger">API reference</a>.
      </p>
      <p class="level">
        <span>
          <strong>Harrier</strong> {version}
        </span>
        {window.isSecureContext && (
          <Button
            kind="quiet"
            size="small"
            icon={isCopied ? 'check' : 'copy'}
            aria-label="Copy version"
            onClick={() => void copy()}
          />
        )}
      </p>
    </div>
  )
}
