/** The component in German. Held by test/sdk/element-strings.test.ts. */
import type { Strings } from './strings.ts';

const LATER = 'Etwas ist schiefgegangen. Versuchen Sie es später noch einmal.';
const SIGNED_OUT = 'Sie sind abgemeldet. Melden Sie sich erneut an.';

export const DE: Strings = {
  signInTitle: 'Mit dem Gesicht anmelden',
  signInIntro: 'Ihre Kamera startet, wenn Sie auf die Schaltfläche klicken. Kein Bild verlässt dieses Gerät.',
  signInButton: 'Anmelden',
  enrollTitle: 'Gesicht registrieren',
  enrollIntro:
    'Das dauert wenige Sekunden: Schauen Sie gerade in die Kamera. Ihre Kamera startet, wenn Sie auf die Schaltfläche klicken.',
  enrollButton: 'Registrieren',
  toEnroll: 'Neu hier? Gesicht registrieren',
  toSignIn: 'Schon registriert? Anmelden',
  toEmailCode: 'Code per E-Mail verwenden',
  email: 'E-Mail-Adresse',
  name: 'Name (optional)',
  consentText:
    'Um Sie zu erkennen, werden Zahlen gespeichert, die Ihr Gesicht beschreiben, bis Ihr Konto gelöscht wird. Die Löschung können Sie jederzeit bei dieser Website verlangen. Nach 3 Jahren ohne Anmeldung wird das Konto automatisch gelöscht. Bilder werden weder gesendet noch gespeichert.',
  consentAgree: 'Ich stimme zu, dass mein Gesicht für die Anmeldung verwendet wird.',
  preview: 'Bild Ihrer Kamera',
  loading: 'Gesichtserkennung wird geladen: nur beim ersten Mal langsam.',
  allowCamera: 'Erlauben Sie den Zugriff auf Ihre Kamera.',
  checking: 'Wird geprüft …',
  progress: 'Fortschritt',
  cancel: 'Abbrechen',
  back: 'Zurück',
  tryAgain: 'Noch einmal versuchen',
  problemTitle: 'Das hat nicht geklappt',
  emailTitle: 'Code per E-Mail erhalten',
  emailIntro: 'Wir senden einen 6-stelligen Code an Ihre Adresse.',
  sendCode: 'Code senden',
  sending: 'Wird gesendet …',
  codeTitle: 'Code eingeben',
  codeIntro:
    'Wenn {email} hier registriert ist, ist ein 6-stelliger Code unterwegs. Er gilt 10 Minuten lang.',
  code: 'Code',
  codeButton: 'Anmelden',
  newCode: 'Neuen Code senden',
  codeSent: 'Ein neuer Code ist unterwegs. Der alte gilt nicht mehr.',
  emailNeeded: 'Geben Sie Ihre E-Mail-Adresse ein, zum Beispiel ada@example.com.',
  codeNeeded: 'Geben Sie die 6 Ziffern des Codes ein.',
  consentNeeded: 'Stimmen Sie der Verwendung Ihres Gesichts zu, um sich zu registrieren.',
  hidden: 'Die Kamera wurde gestoppt, weil die Seite nicht mehr sichtbar war.',
  wait: 'Zu viele Versuche. Versuchen Sie es in {time} noch einmal.',
  doneTitle: 'Sie sind angemeldet',
  doneText: 'Angemeldet als {email}.',
  confirmTitle: 'Bestätigen Sie, dass Sie es sind',
  confirmText:
    'Wir haben Sie nur knapp erkannt. Ein 6-stelliger Code ist unterwegs an {email}. Er gilt 10 Minuten lang.',
  ownerTitle: 'Ist das Ihr Konto?',
  ownerQuestion: 'Für diese Adresse wurde am {date} ein Gesicht registriert. Waren Sie das?',
  ownerHint:
    'Wenn nicht, wählen Sie „Nein“. Dann können Sie das Konto mit diesem Gesicht löschen und Ihr eigenes registrieren.',
  yes: 'Ja',
  no: 'Nein',
  eraseTitle: 'Dieses Konto löschen?',
  eraseText:
    'Das Konto von {email} wird endgültig gelöscht, mit seinem Namen und dem Gesicht, das am {date} registriert wurde.',
  eraseButton: 'Konto löschen',
  erasing: 'Wird gelöscht …',
  notErasedTitle: 'Das Konto konnte nicht gelöscht werden',
  notErasedText:
    'Versuchen Sie es noch einmal. Bis das Konto gelöscht ist, kann dieses Gesicht weiter mit Ihrer Adresse angemeldet werden.',
  erasedTitle: 'Das Konto ist gelöscht',
  erasedText:
    'Dieses Gesicht ist nicht mehr registriert. Sie können jetzt Ihr eigenes mit Ihrer Adresse registrieren.',
  learnOffer: 'Wir haben Sie nur knapp erkannt. Sollen wir uns merken, wie Sie heute aussehen?',
  learnText:
    'Ihre Kamera startet noch einmal für wenige Sekunden. Zahlen, die Ihr heutiges Gesicht beschreiben, werden gespeichert, bis Ihr Konto gelöscht wird. Kein Bild wird gesendet oder gespeichert.',
  learnButton: 'Heutiges Aussehen merken',
  learnLater: 'Jetzt nicht',
  learnTitle: 'Heutiges Aussehen merken',
  learned: 'Fertig. Beim nächsten Mal werden Sie leichter erkannt.',
  learnFailed: 'Ihre Aufnahmen konnten nicht hinzugefügt werden. Sie bleiben angemeldet.',
  guides: {
    look_here: 'Schauen Sie gerade in die Kamera.',
    come_closer: 'Kommen Sie näher.',
    go_back: 'Gehen Sie etwas zurück.',
    move_into_frame: 'Bringen Sie Ihr ganzes Gesicht ins Bild.',
    more_light: 'Mehr Licht, bitte: Wenden Sie sich einer Lampe oder einem Fenster zu.',
    less_light: 'Zu hell: Wenden Sie sich vom Licht ab.',
    face_the_light: 'Das Licht ist hinter Ihnen: Wenden Sie sich ihm zu.',
    hold_still: 'Halten Sie still.',
    clean_camera: 'Das Bild ist unscharf: Wischen Sie die Kamera ab.',
    show_face: 'Zeigen Sie Ihr ganzes Gesicht: ohne dunkle Brille, Mütze oder Maske.',
    face_front: 'Wenden Sie Ihr Gesicht der Kamera zu.',
    one_person: 'Bitte nur eine Person.',
    blink: 'Blinzeln Sie.',
    turn_head: 'Drehen Sie den Kopf langsam zu einer Seite.',
    done: 'Fertig.',
  },
  errors: {
    camera_denied:
      'Die Kamera ist blockiert. Erlauben Sie sie in den Einstellungen Ihres Browsers oder Geräts und versuchen Sie es noch einmal.',
    camera_in_use:
      'Die Kamera ist nicht frei. Schließen Sie andere Programme, die sie verwenden, und versuchen Sie es noch einmal.',
    camera_missing:
      'Es wurde keine Kamera gefunden. Schließen Sie eine an oder melden Sie sich mit einem Code per E-Mail an.',
    camera_forbidden:
      'Diese Seite darf die Kamera nicht verwenden. Wenden Sie sich an den Betrieb der Website oder verwenden Sie einen Code per E-Mail.',
    camera_unsuitable:
      'Ihre Kamera passt nicht zu dieser Seite. Verwenden Sie eine andere oder einen Code per E-Mail.',
    camera_unsupported:
      'In diesem Browser können Seiten keine Kamera verwenden. Verwenden Sie einen anderen Browser oder einen Code per E-Mail.',
    camera_stopped:
      'Die Kamera wurde unterbrochen. Prüfen Sie, ob sie angeschlossen ist, und versuchen Sie es noch einmal.',
    camera_failed:
      'Die Kamera ist nicht gestartet. Versuchen Sie es noch einmal oder melden Sie sich mit einem Code per E-Mail an.',
    video_blocked: 'Der Browser hat das Video Ihrer Kamera nicht abgespielt. Versuchen Sie es noch einmal.',
    browser_too_old: 'Dieser Browser ist zu alt. Aktualisieren Sie ihn oder verwenden Sie einen anderen.',
    load_failed:
      'Ein Teil dieser Seite konnte nicht geladen werden. Versuchen Sie es noch einmal oder laden Sie die Seite neu.',
    unknown_error:
      'Etwas ist schiefgegangen. Laden Sie die Seite neu oder versuchen Sie es später noch einmal.',
    insecure_page: 'Die Kamera funktioniert nur auf sicheren Seiten. Öffnen Sie diese Seite mit https://.',
    encoder_failed:
      'Die Gesichtserkennung konnte nicht geladen werden. Laden Sie die Seite neu oder melden Sie sich mit einem Code per E-Mail an.',
    no_face: 'Es wurde kein Gesicht gefunden. Schauen Sie in die Kamera und versuchen Sie es noch einmal.',
    several_faces: 'Es wurde mehr als ein Gesicht gefunden. Nur eine Person darf im Bild sein.',
    too_dark:
      'Es ist zu dunkel. Schalten Sie ein Licht an oder wenden Sie sich einem Fenster zu, und prüfen Sie, ob etwas die Kamera verdeckt.',
    backlit:
      'Das Licht ist hinter Ihnen. Drehen Sie sich, bis es auf Ihr Gesicht fällt, und versuchen Sie es noch einmal.',
    too_bright:
      'Das Licht auf Ihrem Gesicht ist zu hell. Gehen Sie aus dem Licht und versuchen Sie es noch einmal.',
    too_far: 'Ihr Gesicht war zu weit weg. Kommen Sie näher an die Kamera und versuchen Sie es noch einmal.',
    too_near: 'Ihr Gesicht war zu nah. Gehen Sie etwas zurück und versuchen Sie es noch einmal.',
    face_cut_off:
      'Ein Teil Ihres Gesichts war außerhalb des Bildes. Gehen Sie in die Mitte und versuchen Sie es noch einmal.',
    face_turned:
      'Ihr Gesicht war abgewandt. Schauen Sie gerade in die Kamera und versuchen Sie es noch einmal.',
    moving:
      'Das Bild war unscharf, weil Sie sich bewegt haben. Halten Sie still und versuchen Sie es noch einmal.',
    blurred:
      'Das Bild war unscharf. Wischen Sie die Kamera ab, halten Sie eine Armlänge Abstand und versuchen Sie es noch einmal.',
    face_unclear:
      'Ihr Gesicht war nicht gut zu erkennen. Nehmen Sie ab, was es verdeckt, und versuchen Sie es noch einmal.',
    offline:
      'Es besteht keine Verbindung zum Dienst. Prüfen Sie Ihr Netzwerk und versuchen Sie es noch einmal.',
    timeout: 'Die Antwort hat zu lange gedauert. Versuchen Sie es noch einmal.',
    aborted: 'Abgebrochen.',
    unexpected_answer: LATER,
    key_refused:
      'Die Anmeldung ist auf dieser Seite nicht eingerichtet. Wenden Sie sich an den Betrieb der Website.',
    not_signed_in: 'Melden Sie sich zuerst an.',
    email_code_needed:
      'Melden Sie sich zuerst mit einem E-Mail-Code an, um zu zeigen, dass dieses Konto Ihnen gehört.',
    invalid_request: 'Einige Angaben sind nicht gültig. Prüfen Sie Ihre Eingaben.',
    consent_required: 'Stimmen Sie der Verwendung Ihres Gesichts zu, bevor Sie sich registrieren.',
    challenge_invalid: 'Das hat zu lange gedauert. Versuchen Sie es noch einmal.',
    invalid_code: 'Der Code ist falsch oder abgelaufen. Prüfen Sie ihn oder fordern Sie einen neuen an.',
    unauthorized: SIGNED_OUT,
    no_match:
      'Ihr Gesicht wurde nicht erkannt. Versuchen Sie es noch einmal oder melden Sie sich mit einem Code per E-Mail an.',
    token_revoked: SIGNED_OUT,
    origin_not_allowed:
      'Von dieser Seite aus ist keine Anmeldung erlaubt. Wenden Sie sich an den Betrieb der Website.',
    test_limit_reached: 'Das Limit der Test-App ist erreicht. Wenden Sie sich an den Betrieb der Website.',
    not_found: 'Dieses Konto gibt es nicht mehr.',
    method_not_allowed: LATER,
    email_taken:
      'Diese Adresse ist schon registriert. Melden Sie sich damit an oder verwenden Sie eine andere.',
    face_already_enrolled: 'Dieses Gesicht ist schon registriert. Melden Sie sich stattdessen an.',
    encoder_mismatch:
      'Die Anmeldung mit dem Gesicht funktioniert hier zurzeit nicht. Verwenden Sie einen Code per E-Mail oder wenden Sie sich an den Betrieb der Website.',
    payload_too_large: 'Es wurden zu viele Daten gesendet. Versuchen Sie es noch einmal.',
    unsupported_media_type: LATER,
    rate_limited: 'Zu viele Versuche. Warten Sie einen Moment und versuchen Sie es noch einmal.',
    plan_limit_reached:
      'Diese Website hat ihr monatliches Limit für Anmeldungen erreicht. Wenden Sie sich an den Betrieb der Website.',
    headers_too_large:
      'Diese Website hat zu viele Cookies in Ihrem Browser gespeichert. Löschen Sie sie und versuchen Sie es noch einmal.',
    internal_error: LATER,
    email_unavailable: 'Codes per E-Mail sind zurzeit nicht verfügbar. Versuchen Sie es später noch einmal.',
    email_send_failed: 'Der Code konnte nicht gesendet werden. Versuchen Sie es später noch einmal.',
    service_unavailable: 'Der Dienst ist ausgelastet. Versuchen Sie es gleich noch einmal.',
  },
};
