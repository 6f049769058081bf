"""The page's server: games over HTTP for people and programs of this machine, each as it may see them.

It is a front door like the command line: it plays, answers and reads games through `entente.games` alone.
`entente.web.app` has the routes.
"""
