/** Spanish: what stands on every page, and what went wrong. */
import type { Strings } from '../en/index.ts';

export const common: Strings['common'] = {
  copy: 'Copiar',
  copied: 'Copiado',
  cancel: 'Cancelar',
  close: 'Cerrar',
  again: 'Reintentar',
  loading: 'Cargando…',
  save: 'Guardar',
  never: 'nunca',
  you: 'tú',
  remove: 'Quitar',
};

export const nav: Strings['nav'] = {
  skip: 'Ir al contenido',
  main: 'Menú principal',
  menu: 'Menú',
  apps: 'Aplicaciones',
  teams: 'Equipo',
  account: 'Cuenta',
  installation: 'Instalación',
  docs: 'API HTTP',
  tryIt: 'Pruébalo',
  overview: 'Resumen',
  users: 'Usuarios',
  events: 'Eventos',
  faces: 'Caras',
  keys: 'Claves',
  refusals: 'Rechazos',
  settings: 'Ajustes',
  app: 'Aplicación',
  mode: 'Modo',
  live: 'Real',
  test: 'Prueba',
  testMode: 'Modo de prueba',
  testModeText: 'Solo usuarios y claves de prueba. Nada de aquí toca los datos reales.',
  signOut: 'Cerrar sesión',
  language: 'Idioma',
  theme: 'Tema',
  themes: { system: 'Como el sistema', light: 'Claro', dark: 'Oscuro' },
  away: 'El servicio no responde. Esta página sigue intentándolo y no se pierde nada de lo que has escrito.',
  draining: 'El servicio se está deteniendo. Puede no estar disponible por un momento.',
  newVersion: 'El portal se actualizó mientras esta página estaba abierta.',
  reload: 'Recargar',
};

export const roles: Strings['roles'] = {
  admin: 'Administrador',
  owner: 'Propietario',
  developer: 'Desarrollador',
  support: 'Soporte',
  viewer: 'Lector',
};

export const faults: Strings['faults'] = {
  request: 'petición',
  back: 'El servicio ha vuelto. Inténtalo otra vez.',
  looking: 'Se vuelve a intentar cada pocos segundos…',
  noRight: 'Tu rol no puede hacer esto. Pueden:',
  goneTitle: 'Aquí no hay nada',
  gone: 'Se eliminó, es de otro equipo o la dirección está mal escrita.',
  wait: seconds =>
    seconds < 90
      ? `Demasiados intentos. Prueba de nuevo en ${seconds} segundos.`
      : `Demasiados intentos. Prueba de nuevo en ${Math.ceil(seconds / 60)} minutos.`,
  codes: {
    offline: 'El servicio no responde.',
    service_unavailable: 'El servicio no puede responder ahora.',
    internal_error: 'Algo falló en el servicio. Quedó registrado con este identificador de petición.',
    forbidden: 'Tu rol no puede hacer esto.',
    step_up_required: 'Esto necesita otra vez tu llave de acceso. No se ha cambiado nada.',
    unauthorized: 'No has iniciado sesión, o esta credencial no es válida.',
    link_used: 'Este enlace ya se usó, caducó o fue retirado. Pide uno nuevo.',
    last_owner: 'Un equipo necesita un propietario. Nombra antes a otra persona.',
    last_admin: 'La instalación necesita un administrador. Nombra antes a otra persona.',
    sign_in_first: 'Esta dirección es de un operador. Inicia sesión y abre el enlace de nuevo.',
    email_taken: 'Ya existe un operador con esta dirección. Inicia sesión.',
    rate_limited: 'Demasiados intentos. Espera un momento.',
    origin_not_allowed: 'Esta dirección del portal no es la configurada (`PORTAL_URL`).',
  },
};

export const passkeyFaults: Strings['passkeyFaults'] = {
  cancelled: 'No se usó la llave de acceso: se cerró el aviso o se agotó el tiempo.',
  exists: 'Este dispositivo ya tiene una llave de acceso de tu cuenta.',
  unsupported: 'Este navegador o dispositivo no puede crear esa llave de acceso.',
};

export const over: Strings['over'] = {
  title: 'Inicia sesión de nuevo',
  text: 'Tu sesión terminó. Inicia sesión para seguir donde estabas: esta página se queda como está.',
  passkey: 'Entrar con una llave de acceso',
  elsewhere: 'Usar un código de recuperación o un enlace',
};

export const step: Strings['step'] = {
  title: 'Confirma que eres tú',
  text: 'Esta acción necesita otra vez tu llave de acceso. Después tienes 5 minutos.',
  passkey: 'Usar una llave de acceso',
  none: '¿No tienes la llave a mano? Entra de nuevo con un enlace, que vale 5 minutos:',
};
