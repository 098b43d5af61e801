"""The demo: real tables, a scripted migration and seven nights of recon on this machine."""
