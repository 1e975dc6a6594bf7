import type { ComponentChildren } from 'preact'

/** A way to send runs from a phone to an address that contains a key. */
export interface AddressWay {
  /** Label of the key. */
  readonly label: string
  readonly title: string
  readonly about: string
  /** Steps after the address was created. */
  readonly steps: readonly ComponentChildren[]
  readonly after?: ComponentChildren
}

const Name = ({ children }: { readonly children: string }) => <strong>{children}</strong>

export const ADDRESS_WAYS: readonly AddressWay[] = [
  {
    label: 'iPhone Shortcut',
    title: 'iPhone Shortcut',
    about: 'Share runs from any app to your own Shortcut. Set it up once, in four steps.',
    steps: [
      <>
        Copy the address to the iPhone: point its camera at the code, hold the link and choose <Name>Copy</Name>. On the
        iPhone itself use the button below the address.
      </>,
      <>
        In the <Name>Shortcuts</Name> app create a shortcut. In its details turn on <Name>Show in Share Sheet</Name> and
        let it receive files.
      </>,
      <>
        Add the action <Name>Get Contents of URL</Name> and paste the address. Choose method <Name>POST</Name> and
        request body <Name>Form</Name>. Add a File field called <code>file</code> with the Shortcut Input.
      </>,
      <>
        Name it Harrier. In your running app export or share a run as FIT, GPX or TCX, and choose <Name>Harrier</Name>.
      </>,
    ],
    after: (
      <>
        To keep the key out of the address, use <code>/workouts/import</code> instead of <code>/in/…</code>. Add a
        header <code>Authorization</code> with <code>Bearer</code> and the key, the part after <code>/in/</code>.
      </>
    ),
  },
  {
    label: 'Health Auto Export',
    title: 'Health Auto Export',
    about: 'This iPhone app sends Apple Health workouts automatically, with heart rate and route.',
    steps: [
      <>Copy the address to the iPhone: point its camera at the code and copy the link.</>,
      <>
        In Health Auto Export add a <Name>REST API</Name> automation with the address as its URL, method{' '}
        <Name>POST</Name> and no headers.
      </>,
      <>
        For data choose <Name>Workouts</Name> with route and workout metrics, format <Name>JSON</Name>, version 2.
      </>,
      <>Only runs are imported. Runs that were sent before are recognised and updated if there’s more data.</>,
    ],
  },
  {
    label: 'FitoTrack',
    title: 'FitoTrack',
    about: 'Sends every workout automatically when you save it, with your comment as notes.',
    steps: [
      <>Copy the address to the phone: point its camera at the code and copy the link.</>,
      <>
        In FitoTrack’s settings open automatic export, choose workouts as GPX, and add the target <Name>HTTP POST</Name>{' '}
        with the address.
      </>,
      <>Save a run. Rides and walks are sent too; Harrier ignores other activities.</>,
    ],
  },
  {
    label: 'OpenTracks, Gadgetbridge',
    title: 'OpenTracks, Gadgetbridge and others',
    about: 'They save each run to a folder on the phone. An automation app sends new files to Harrier.',
    steps: [
      <>In OpenTracks or Gadgetbridge turn on the export of finished runs as GPX or FIT to a folder.</>,
      <>
        In an automation app (Tasker, MacroDroid, Automate): for each new file in that folder, send an HTTP{' '}
        <Name>POST</Name> request to the address, with the file as its body.
      </>,
      <>Sending a file twice is harmless: Harrier recognises duplicates.</>,
    ],
    after: (
      <>
        Anything that sends a file to an address works, such as <code>curl -T run.gpx {'<address>'}/run.gpx</code>. For
        single runs use the Android share sheet.
      </>
    ),
  },
]
