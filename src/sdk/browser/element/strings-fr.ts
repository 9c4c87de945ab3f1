/** The component in French. Held by test/sdk/element-strings.test.ts. */
import type { Strings } from './strings.ts';

const LATER = 'Un problème est survenu. Réessayez plus tard.';
const SIGNED_OUT = 'Votre session est terminée. Connectez-vous à nouveau.';

export const FR: Strings = {
  signInTitle: 'Se connecter avec son visage',
  signInIntro: 'Votre caméra démarre quand vous appuyez sur le bouton. Aucune image ne quitte cet appareil.',
  signInButton: 'Se connecter',
  enrollTitle: 'Enregistrer votre visage',
  enrollIntro:
    'Cela prend quelques secondes : regardez droit vers la caméra. Votre caméra démarre quand vous appuyez sur le bouton.',
  enrollButton: 'Enregistrer',
  toEnroll: 'Première visite ? Enregistrez votre visage',
  toSignIn: 'Visage déjà enregistré ? Connectez-vous',
  toEmailCode: 'Recevoir un code par e-mail',
  email: 'Adresse e-mail',
  name: 'Nom (facultatif)',
  consentText:
    'Pour vous reconnaître, des nombres décrivant votre visage sont conservés jusqu’à la suppression de votre compte. Vous pouvez demander cette suppression au site à tout moment. Après 3 ans sans connexion, le compte est supprimé automatiquement. Les images ne sont ni envoyées ni conservées.',
  consentAgree: 'J’accepte que mon visage soit utilisé pour me connecter.',
  preview: 'Image de votre caméra',
  loading: 'Chargement de la reconnaissance faciale : long seulement la première fois.',
  allowCamera: 'Autorisez l’accès à votre caméra.',
  checking: 'Vérification…',
  progress: 'Progression',
  cancel: 'Annuler',
  back: 'Retour',
  tryAgain: 'Réessayer',
  problemTitle: 'Cela n’a pas fonctionné',
  emailTitle: 'Recevoir un code par e-mail',
  emailIntro: 'Nous enverrons un code à 6 chiffres à votre adresse.',
  sendCode: 'Envoyer le code',
  sending: 'Envoi…',
  codeTitle: 'Saisir le code',
  codeIntro:
    'Si {email} est enregistrée ici, un code à 6 chiffres vient d’y être envoyé. Il est valable 10 minutes.',
  code: 'Code',
  codeButton: 'Se connecter',
  newCode: 'Envoyer un nouveau code',
  codeSent: 'Un nouveau code vient d’être envoyé. L’ancien n’est plus valable.',
  emailNeeded: 'Saisissez votre adresse e-mail, par exemple ada@example.com.',
  codeNeeded: 'Saisissez les 6 chiffres du code.',
  consentNeeded: 'Pour vous enregistrer, acceptez l’utilisation de votre visage.',
  hidden: 'La caméra s’est arrêtée, car la page n’était plus visible.',
  wait: 'Trop de tentatives. Réessayez dans {time}.',
  doneTitle: 'Connexion réussie',
  doneText: 'Connexion avec l’adresse {email}.',
  confirmTitle: 'Confirmez que c’est vous',
  confirmText:
    'Nous avons eu du mal à vous reconnaître. Un code à 6 chiffres vient d’être envoyé à {email}. Il est valable 10 minutes.',
  ownerTitle: 'Est-ce votre compte ?',
  ownerQuestion: 'Un visage a été enregistré pour cette adresse le {date}. Était-ce vous ?',
  ownerHint:
    'Sinon, choisissez Non. Vous pourrez alors supprimer le compte avec ce visage et enregistrer le vôtre.',
  yes: 'Oui',
  no: 'Non',
  eraseTitle: 'Supprimer ce compte ?',
  eraseText:
    'Le compte de {email} sera supprimé définitivement, avec son nom et le visage enregistré le {date}.',
  eraseButton: 'Supprimer le compte',
  erasing: 'Suppression…',
  notErasedTitle: 'Le compte n’a pas pu être supprimé',
  notErasedText:
    'Réessayez. Jusqu’à sa suppression, ce visage peut encore servir à se connecter avec votre adresse.',
  erasedTitle: 'Le compte est supprimé',
  erasedText:
    'Ce visage n’est plus enregistré. Vous pouvez maintenant enregistrer le vôtre avec votre adresse.',
  learnOffer: 'Nous avons eu du mal à vous reconnaître. Mémoriser votre apparence d’aujourd’hui ?',
  learnText:
    'Votre caméra redémarre pendant quelques secondes. Des nombres décrivant votre visage d’aujourd’hui sont conservés jusqu’à la suppression de votre compte. Aucune image n’est envoyée ni conservée.',
  learnButton: 'Mémoriser mon apparence',
  learnLater: 'Pas maintenant',
  learnTitle: 'Mémoriser votre apparence d’aujourd’hui',
  learned: 'C’est fait. La prochaine fois, nous vous reconnaîtrons plus facilement.',
  learnFailed: 'Vos images n’ont pas pu être ajoutées. Votre connexion reste active.',
  guides: {
    look_here: 'Regardez droit vers la caméra.',
    come_closer: 'Rapprochez-vous.',
    go_back: 'Reculez un peu.',
    move_into_frame: 'Placez tout votre visage dans l’image.',
    more_light: 'Il faut plus de lumière : tournez-vous vers une lampe ou une fenêtre.',
    less_light: 'Trop de lumière : détournez-vous de la source.',
    face_the_light: 'La lumière est derrière vous : tournez-vous vers elle.',
    hold_still: 'Ne bougez plus.',
    clean_camera: 'L’image est floue : nettoyez la caméra.',
    show_face: 'Montrez tout votre visage : sans lunettes noires, casquette ni masque.',
    face_front: 'Tournez votre visage vers la caméra.',
    one_person: 'Une seule personne, s’il vous plaît.',
    blink: 'Clignez des yeux.',
    turn_head: 'Tournez lentement la tête d’un côté.',
    done: 'C’est fait.',
  },
  errors: {
    camera_denied:
      'La caméra est bloquée. Autorisez-la dans les réglages de votre navigateur ou de votre appareil, puis réessayez.',
    camera_in_use: 'La caméra n’est pas libre. Fermez les autres programmes qui l’utilisent, puis réessayez.',
    camera_missing:
      'Aucune caméra n’a été trouvée. Branchez-en une ou connectez-vous avec un code par e-mail.',
    camera_forbidden:
      'Cette page n’a pas le droit d’utiliser la caméra. Contactez les responsables du site ou utilisez un code par e-mail.',
    camera_unsuitable:
      'Votre caméra ne convient pas à cette page. Utilisez-en une autre, ou un code par e-mail.',
    camera_unsupported:
      'Dans ce navigateur, les pages ne peuvent pas utiliser la caméra. Utilisez un autre navigateur ou un code par e-mail.',
    camera_stopped: 'La caméra s’est arrêtée. Vérifiez qu’elle est branchée, puis réessayez.',
    camera_failed: 'La caméra n’a pas démarré. Réessayez ou connectez-vous avec un code par e-mail.',
    video_blocked: 'Le navigateur n’a pas lu la vidéo de votre caméra. Réessayez.',
    browser_too_old: 'Ce navigateur est trop ancien. Mettez-le à jour ou utilisez-en un autre.',
    load_failed: 'Une partie de cette page n’a pas pu être chargée. Réessayez ou rechargez la page.',
    unknown_error: 'Un problème est survenu. Rechargez la page ou réessayez plus tard.',
    insecure_page: 'La caméra ne fonctionne que sur une page sécurisée. Ouvrez cette page avec https://.',
    encoder_failed:
      'La reconnaissance faciale n’a pas pu être chargée. Rechargez la page ou connectez-vous avec un code par e-mail.',
    no_face: 'Aucun visage n’a été trouvé. Regardez la caméra et réessayez.',
    several_faces: 'Plusieurs visages ont été trouvés. Une seule personne doit être dans l’image.',
    too_dark:
      'Il fait trop sombre. Allumez une lumière ou tournez-vous vers une fenêtre, et vérifiez que rien ne cache la caméra.',
    backlit:
      'La lumière est derrière vous. Tournez-vous jusqu’à ce qu’elle éclaire votre visage, puis réessayez.',
    too_bright: 'La lumière sur votre visage est trop forte. Éloignez-vous-en, puis réessayez.',
    too_far: 'Votre visage était trop loin. Rapprochez-vous de la caméra, puis réessayez.',
    too_near: 'Votre visage était trop près. Éloignez-vous de la caméra, puis réessayez.',
    face_cut_off: 'Une partie de votre visage était hors de l’image. Placez-vous au milieu, puis réessayez.',
    face_turned: 'Votre visage était tourné. Regardez droit vers la caméra, puis réessayez.',
    moving: 'L’image était floue parce que vous avez bougé. Ne bougez plus, puis réessayez.',
    blurred: 'L’image était floue. Nettoyez la caméra, restez à une longueur de bras, puis réessayez.',
    face_unclear: 'Votre visage n’était pas bien visible. Retirez ce qui le couvre, puis réessayez.',
    offline: 'Il n’y a pas de connexion au service. Vérifiez votre réseau, puis réessayez.',
    timeout: 'La réponse a pris trop de temps. Réessayez.',
    aborted: 'Interrompu.',
    unexpected_answer: LATER,
    key_refused: 'La connexion n’est pas configurée sur cette page. Contactez les responsables du site.',
    not_signed_in: 'Connectez-vous d’abord.',
    email_code_needed:
      'Connectez-vous d’abord avec un code reçu par e-mail, pour montrer que ce compte est le vôtre.',
    invalid_request: 'Certaines données ne sont pas valables. Vérifiez votre saisie.',
    consent_required: 'Acceptez l’utilisation de votre visage avant de vous enregistrer.',
    challenge_invalid: 'Cela a pris trop de temps. Réessayez.',
    invalid_code: 'Le code est incorrect ou a expiré. Vérifiez-le ou demandez-en un nouveau.',
    unauthorized: SIGNED_OUT,
    no_match: 'Votre visage n’a pas été reconnu. Réessayez ou connectez-vous avec un code par e-mail.',
    token_revoked: SIGNED_OUT,
    origin_not_allowed:
      'La connexion n’est pas autorisée depuis cette page. Contactez les responsables du site.',
    test_limit_reached:
      'La limite de l’application de test est atteinte. Contactez les responsables du site.',
    not_found: 'Ce compte n’existe plus.',
    method_not_allowed: LATER,
    email_taken: 'Cette adresse est déjà enregistrée. Connectez-vous avec elle ou utilisez-en une autre.',
    face_already_enrolled: 'Ce visage est déjà enregistré. Connectez-vous plutôt.',
    encoder_mismatch:
      'La connexion avec le visage ne fonctionne pas ici pour le moment. Utilisez un code par e-mail ou contactez les responsables du site.',
    payload_too_large: 'Trop de données ont été envoyées. Réessayez.',
    unsupported_media_type: LATER,
    rate_limited: 'Trop de tentatives. Patientez un instant, puis réessayez.',
    plan_limit_reached:
      'Ce site a atteint sa limite mensuelle de connexions. Contactez les responsables du site.',
    headers_too_large:
      'Ce site a enregistré trop de cookies dans votre navigateur. Supprimez-les, puis réessayez.',
    internal_error: LATER,
    email_unavailable: 'Les codes par e-mail ne sont pas disponibles pour le moment. Réessayez plus tard.',
    email_send_failed: 'Le code n’a pas pu être envoyé. Réessayez plus tard.',
    service_unavailable: 'Le service est occupé. Réessayez dans un instant.',
  },
};
