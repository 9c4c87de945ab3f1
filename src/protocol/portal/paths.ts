/** First parts of the paths that the portal's app shows, and the server answers with its page. */
export const APP_PATHS = ['apps', 'sign-in', 'link', 'recovery', 'teams', 'account', 'installation'] as const;
